import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { appendLines, listLogLines, withLogStore } from "../factories/logs";
import { waitUntil } from "../wait-until";
import { getRedirect } from "./operators";
import { execute, readRows } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer({});
const { get, read, post } = useSuperadmin(server);

/** Returns the lines, once one of them contains `mark`. */
async function waitForLines(mark: string): Promise<string[]> {
  return waitUntil(async () => {
    const lines = await listLogLines(server.dataDir);
    return lines.some((line) => line.includes(mark)) ? lines : undefined;
  });
}

describe("the server's lines in the log store", () => {
  it("are those of its standard output, in order, in the form date [LEVEL] message", async () => {
    await server.fetch("/robots.txt");
    const lines = await waitForLines("path=/robots.txt");
    const written = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    const times = written.map((line) => (JSON.parse(line) as { time: string }).time);
    expect(lines.map((line) => line.split(" ")[0])).toEqual(times.slice(0, lines.length));
    expect(lines.at(-1)).toMatch(
      /^\S+Z \[INFO\] request method=GET path=\/robots\.txt status=200 ms=[\d.]+ bytes=\d+ address=127\.0\.0\.0 aborted=false id=[\w-]{36}$/,
    );
  });

  // C23
  it("show a line end and a colour as what they are, also those of another program", async () => {
    await withLogStore(server.dataDir, (store) =>
      appendLines(store, [
        "2026-11-21T12:00:00Z [NOTICE] <b>hostile</b> x\n2026-01-01 [ERROR] forged\x1b[31m",
        "of no form",
      ]),
    );
    const page = await read("/admin/logs?level=NOTICE");
    expect(page).toContain("&lt;b&gt;hostile&lt;/b&gt; x\\n2026-01-01 [ERROR] forged\\x1b[31m");
    expect(page).not.toContain("\x1b");
    expect(page).toContain("1 unparsed line is hidden.");
  });

  it("are found by the search, without a live view or script", async () => {
    expect(await read("/admin/search?q=hostile")).toMatch(
      /Log lines.*href="\/admin\/logs\/\d+"[^>]*><bdi>&lt;b&gt;hostile/s,
    );
    const page = await read("/admin/logs?level=NOTICE");
    expect(page).toContain(">2026-11-21 12:00:00<");
    expect(page).toMatch(/<a (?=[^>]*noscript:hidden)[^>]*>(?:<svg.*?<\/svg>)?Live</s);
  });

  it("are filtered by days and times, with counts that say when they are those of whole hours", async () => {
    const at = (time: string, number: number) => `2026-11-20T${time}Z [FATAL] at ${time} number ${number}`;
    const many = Array.from({ length: 30 }, (_, n) => at("14:05:00", n));
    await withLogStore(server.dataDir, (store) =>
      appendLines(store, [at("13:59:59", 1), ...many, at("14:06:30", 2), at("15:00:00", 3)]),
    );
    const read14 = (from: string, until: string) =>
      read(`/admin/logs?from=2026-11-20&fromTime=${from}&to=2026-11-20&toTime=${until}`);
    const hour = await read14("14:00", "15:00");
    expect(hour).toContain("at 14:06:30 number 2");
    expect(hour).not.toMatch(/at 13:59:59|at 15:00:00/);
    expect(hour).toContain("All 31 lines of FATAL");
    expect(hour).not.toContain("Newest line");
    expect(await read("/admin/logs")).toContain("Newest line");
    const minute = await read14("14:06", "14:07");
    expect(minute).toContain("at 14:06:30 number 2");
    expect(minute).not.toContain("at 14:05:00");
    expect(minute).not.toContain("At most");
    const minutes = await read14("14:05", "14:07");
    expect(minutes).toContain("At most 31");
    expect(minutes).toContain("All lines of FATAL");
    expect((await get("/admin/logs?from=2026-11-20&fromTime=2pm")).status).toBe(422);
    const byTime = await read(
      "/admin/logs?view=time&level=FATAL&from=2026-11-20&fromTime=14:05&to=2026-11-20&toTime=14:07",
    );
    expect([...byTime.matchAll(/<bdi>at (\S+) number/g)].map(([, time]) => time)).toEqual([
      "14:06:30",
      ...many.map(() => "14:05:00"),
    ]);
    expect(await readText(get("/admin/logs?view=time&fromTime=14:05"), 422)).not.toContain("Only until");
  });

  it("keep a date of another form, and a long message on demand", async () => {
    const end = "the end of it";
    await withLogStore(server.dataDir, (store) =>
      appendLines(store, [`23/11/2026 10:00 [AUDIT] ${"word ".repeat(200)}${end}`]),
    );
    const cut = await read("/admin/logs?level=AUDIT");
    expect(cut).toContain("23/11/2026 10:00");
    expect(cut).not.toContain(end);
    const [, href = ""] = /href="([^"]+)"[^>]*>Show whole message</.exec(cut) ?? [];
    const whole = await read(href.replaceAll("&amp;", "&"));
    expect(whole).toContain(end);
    expect(whole).not.toContain("Show whole message");
  });

  it("include the last lines of a stopped process once the next one has started", async () => {
    expect(await server.stop()).toBe(0);
    // Another process may share the folder.
    expect(await readdir(server.dataDir)).toContain(`log-rest-${server.port}.jsonl`);
    expect((await listLogLines(server.dataDir)).some((line) => line.endsWith("[INFO] drained"))).toBe(false);
    await server.restart();
    await waitForLines("[INFO] drained");
  });

  it("do not include requests of the live view", async () => {
    await read("/admin/logs/newest");
    expect(await read("/admin/logs/newest.data")).toContain("path=/robots.txt");
    await server.fetch("/robots.txt?after");
    const lines = await waitForLines("path=/robots.txt");
    expect(lines.filter((line) => line.includes("/admin/logs/newest"))).toEqual([]);
  });
});

describe("an export of the log", () => {
  const exportLogs = (search: string) => post(`/admin/logs/export?${search}`);

  it("is a text file of the lines that match the filter, oldest first, and is recorded", async () => {
    const lines = Array.from({ length: 1500 }, (_, n) => `2026-11-20T00:00:00Z [TRACE] copied ${n}`);
    await withLogStore(server.dataDir, (store) => appendLines(store, lines));
    const answer = await exportLogs("level=TRACE&q=copied");
    expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="logs-[\d-]+\.log"$/);
    expect((await answer.text()).trimEnd().split("\n")).toEqual(lines);
    expect(readRows(server, "select subject from audit where action = 'export-logs'")).toEqual([
      { subject: 'found by "copied", level TRACE' },
    ]);
  });

  it("redirects a GET and an invalid filter to the page", async () => {
    const got = await get("/admin/logs/export?level=TRACE");
    expect(getRedirect(got)).toEqual([303, "/admin/logs?level=TRACE"]);
    expect(getRedirect(await exportLogs("from=yesterday"))).toEqual([303, "/admin/logs?from=yesterday"]);
    expect((await get("/admin/logs?from=yesterday")).status).toBe(422);
  });
});

// R5
it("a deletion that fails leaves all lines and says so", async () => {
  execute(
    server,
    "create trigger refuse before update of first_id on log_state begin select raise(abort, 'no room'); end",
  );
  const page = await readText(post("/admin/logs?step=delete", { intent: "delete" }), 500);
  execute(server, "drop trigger refuse");
  expect(page).toContain("The logs were not deleted");
  expect(page).toContain("Are you sure you want to delete all logs? This action cannot be undone.");
  expect((await listLogLines(server.dataDir)).length).toBeGreaterThan(1500);
  expect(readRows(server, "select outcome from audit where action = 'delete-logs'")).toEqual([
    { outcome: "failed" },
  ]);
  await waitForLines("[ERROR] the logs could not be deleted");
});

describe("a line's page", () => {
  it("breaks a stack into its calls, and links back only to the list it was found in", async () => {
    const stack = `${new Date().toISOString()} [ERROR] failed error=Error: no\n    at call (file.js:1:2)\nend`;
    await withLogStore(server.dataDir, (store) => appendLines(store, [stack]));
    const found = await read("/admin/logs?q=call");
    expect(found).toContain("<bdi>failed error=Error: no\n    at call (file.js:1:2)\\nend</bdi>");
    const path = /href="(\/admin\/logs\/\d+\?from=[^"]*)"/.exec(found)?.[1] ?? "";
    expect(path).toMatch(/\?from=q%3Dcall$/);
    const page = await read(path);
    expect(page).toMatch(/<li (?=[^>]*aria-current="true")/);
    expect(page).toContain("error=Error: no\n    at call (file.js:1:2)\\nend");
    expect(page).toContain('href="/admin/logs?q=call"');
    const elsewhere = `${path.split("?")[0]}?from=${encodeURIComponent("//evil.example/?q=1#x")}`;
    expect(await read(elsewhere)).not.toMatch(/href="[^"]*\/\/evil/);
  });

  it("is a 404 for a line that does not exist", async () => {
    for (const id of ["0", "999999999", "x", "1e3", "9".repeat(30)]) {
      expect(await readText(get(`/admin/logs/${id}`), 404)).toContain("This line no longer exists");
    }
  });
});
