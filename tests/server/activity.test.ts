import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { getConfirmFields } from "../question-fields";
import { formPost, logIn, SUPERADMIN } from "../server-process";
import type { ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { readRows, signUp, someone, stampOfAPerson } from "./visitors";

const HOSTILE = '=HYPERLINK("//e.example")</script><script>alert(1)</script>';
const FORMULA = "=cmd@example.com";

let server: ServerProcess;
let signedIn: { Cookie: string };
beforeAll(async () => {
  server = await sharedServer();
  signedIn = { Cookie: await logIn(server, SUPERADMIN.password, someone()) };
  await signUp(server, { stamp: await stampOfAPerson(server) });
  await server.fetch("/login", formPost({ email: FORMULA, password: "x" }, someone()));
  const panel = { audience: "early-access", title: HOSTILE, message: "Hello" };
  const press = async (fields: Record<string, string>) => {
    const answer = await server.fetch("/admin/dashboard", formPost({ ...panel, ...fields }, signedIn));
    return new URL(answer.headers.get("Location") ?? "", server.origin).searchParams;
  };
  const draft = (await press({ intent: "send" })).get("draft") ?? "";
  await press(await getConfirmFields(server, signedIn, draft));
});

const get = (path: string) => server.fetch(path, { headers: signedIn });
const download = (query = "") => server.fetch(`/admin/activity/export${query}`, formPost({}, signedIn));
/** Parses CSV whose cells contain no line breaks. */
const parseCsv = (csv: string) =>
  csv
    .split("\r\n")
    .filter(Boolean)
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map((match) => match[1]!.replaceAll('""', '"')));

describe("the activity", () => {
  it("shows actions as sentences, with hostile text escaped and isolated (C14)", async () => {
    const html = await (await get("/admin/activity")).text();
    expect(html).toContain("<bdi>=HYPERLINK(&quot;//e.example&quot;)&lt;/script&gt;&lt;script&gt;alert(1)");
    expect(html).not.toContain("<script>alert(1)");
    expect(html).toContain(`<bdi>${FORMULA}</bdi>`);
    expect(html).toContain("logged in");
  });

  it("is filtered by its URL", async () => {
    const refused = await (await get("/admin/activity?outcome=refused&who=visitor")).text();
    expect(refused).toContain(`<bdi>${FORMULA}</bdi>`);
    expect(refused).not.toContain("confirmed the campaign");
    const none = await get("/admin/activity?who=x%00y&action=frobnicate");
    expect(await none.text()).toContain("Nothing matches");
  });

  it("marks an invalid day and keeps it", async () => {
    const answer = await get("/admin/activity?from=2026-02-31&outcome=refused");
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain('value="2026-02-31"');
    expect(html).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="from"/);
    expect(html).toContain("Please enter a day like 2026-11-21.");
  });

  it("takes no POST", async () => {
    for (const intent of ["delete", "clear", ""]) {
      expect((await server.fetch("/admin/activity", formPost({ intent }, signedIn))).status).toBe(405);
    }
  });
});

describe("an export of the activity", () => {
  it("is a file without formulas that begins with its own entry (C21, C36)", async () => {
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": expect.stringMatching(/^attachment; filename="activity-[\d-]{10}\.csv"$/),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const [header, first, ...lines] = parseCsv(await answer.text());
    expect(header).toEqual([
      "Time (UTC)",
      "Who",
      "What happened",
      "Action",
      "Subject",
      "Outcome",
      "Network",
      "Request",
      "Content (SHA-256)",
    ]);
    expect(first?.slice(1, 6)).toEqual([
      SUPERADMIN.email,
      `${SUPERADMIN.email} exported the activity: everything`,
      "Activity exported",
      "everything",
      "Done",
    ]);
    expect(lines.find((line) => line[3] === "Campaign confirmed")?.[4]).toBe(`'${HOSTILE}`);
    expect(lines.find((line) => line[5] === "Refused")?.[4]).toBe(`'${FORMULA}`);
    expect(lines.flat().filter((cell) => /^[=+\-@\t\r\n\0]/.test(cell))).toEqual([]);
    expect(lines).toHaveLength(readRows(server, "select id from audit").length - 1);
  });

  it("contains exactly the entries that match the filter", async () => {
    const [, ...lines] = parseCsv(await (await download("?outcome=refused&who=visitor")).text());
    expect(lines.map((line) => [line[1], line[3], line[5]])).toEqual([["visitor", "Login", "Refused"]]);
    const [noted] = readRows(server, "select subject from audit order by id desc limit 1");
    expect(noted).toEqual({ subject: "who=visitor&outcome=refused" });
  });

  it("redirects a GET and an invalid filter to the page (C8)", async () => {
    const before = readRows(server, "select id from audit").length;
    const page = await get("/admin/activity/export?who=visitor");
    expect([page.status, page.headers.get("Location")]).toEqual([303, "/admin/activity?who=visitor"]);
    const wrong = await download("?from=%5Cx");
    expect([wrong.status, wrong.headers.get("Location")]).toEqual([303, "/admin/activity?from=%5Cx"]);
    expect(readRows(server, "select id from audit")).toHaveLength(before);
  });
});

describe("one's own sessions", () => {
  it("are listed without id or hash, and another one can be ended at once (C5, C6)", async () => {
    const firefox = { "User-Agent": "Firefox/145.0 X11" };
    const other = await logIn(server, SUPERADMIN.password, { ...someone(), ...firefox });
    const html = await (await get("/admin/sessions")).text();
    expect(html).toContain("Firefox on Linux");
    for (const id of [signedIn.Cookie, other].map(getSessionId)) {
      expect(html).not.toContain(id);
      expect(html).not.toContain(createHash("sha256").update(id).digest("hex"));
    }
    const handle = /name="session" value="([^"]+)"/.exec(html)?.[1] ?? "";
    expect(handle).toMatch(/^[0-9a-f]{32}$/);
    const end = () => server.fetch("/admin/sessions", formPost({ intent: "end", session: handle }, signedIn));
    const ended = await end();
    expect(ended.headers.get("Location")).toBe("/admin/sessions?notice=session-ended");
    const next = await server.fetch("/admin/dashboard", { headers: { Cookie: other } });
    const login = "/login?redirectTo=%2Fadmin%2Fdashboard&notice=session-timeout";
    expect([next.status, next.headers.get("Location")]).toEqual([303, login]);
    expect((await end()).headers.get("Location")).toBe("/admin/sessions?notice=session-over");
    expect((await get("/admin/dashboard")).status).toBe(200);
  });

  it("are not ended by an invalid form", async () => {
    const other = await logIn(server, SUPERADMIN.password, someone());
    for (const body of ["intent=end&session=x%00", "intent=end&session=a&session=b", "intent=nonsense", ""]) {
      const answer = await server.fetch("/admin/sessions", formPost(new URLSearchParams(body), signedIn));
      expect(answer.status).toBe(303);
    }
    for (const Cookie of [other, signedIn.Cookie]) {
      expect((await server.fetch("/admin/dashboard", { headers: { Cookie } })).status).toBe(200);
    }
  });
});

/** Returns the opaque id in a cookie: base64 of JSON, then a dot and the signature. */
function getSessionId(cookie: string): string {
  const [payload = ""] = decodeURIComponent(cookie.slice(cookie.indexOf("=") + 1)).split(".");
  return String(JSON.parse(Buffer.from(payload, "base64").toString()));
}
