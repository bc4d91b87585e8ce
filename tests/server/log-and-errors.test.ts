import { beforeAll, describe, expect, it } from "vitest";
import { ask, post } from "../../server/fixtures/raw-http";
import { startSmtpServer } from "../fakes/smtp-server";
import { formPost } from "../server-process";
import { waitUntil } from "../wait-until";
import { PANEL_FIELDS } from "./outreach-screens";
import { builtRoutes } from "./route-manifest";
import { readText } from "./session";
import { dropTable, logLines, readRows, signUp, someone, stampOfAPerson } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";
import { useFixture } from "../fixture";

const FORGED = 'x\n2026-01-01 [ERROR] forged\x1b[31m\r\n{"level":60,"msg":"forged"}';

// C23
describe("input cannot forge a log line", () => {
  const answer = { code: 550, text: "2026-01-01 [ERROR] forged\x1b[31m" };
  const smtp = useFixture(() => startSmtpServer({ answer: () => answer }));
  const server = useServer(() => ({ ...smtp.environment, LOG_LEVEL: "debug" }));
  const superadmin = useSuperadmin(server);

  const encoded = encodeURIComponent(FORGED);
  const oneLine = FORGED.replaceAll(/[\r\n]/g, "");
  const report = {
    "csp-report": { "effective-directive": FORGED, "blocked-uri": FORGED, "document-uri": FORGED },
  };
  const testEmail = { ...PANEL_FIELDS, intent: "test", testAddress: "a@example.com" };
  const asReport = { "Content-Type": "application/csp-report" };
  it.each<[string, () => Promise<unknown>]>([
    ["a name", () => signUp(server, { name: FORGED })],
    ["a company on one line", () => signUp(server, { company: oneLine })],
    ["an address at the login", () => server.fetch("/login", formPost({ email: FORGED }, someone()))],
    ["a path", () => ask(server.port, `GET /${encoded}?${encoded}`)],
    ["a path with raw bytes", () => ask(server.port, `GET /x\x1b[31m%0a`)],
    ["a method", () => ask(server.port, `F%0AO\x1b /`)],
    [
      "headers",
      () => ask(server.port, "GET /", { "User-Agent": oneLine, "X-Forwarded-For": oneLine, Host: "a\x1bb" }),
    ],
    ["a report of a browser", () => post(server.port, "/csp-report", JSON.stringify(report), asReport)],
    ["a mail server's answer", () => superadmin.post("/admin/dashboard", testEmail)],
  ])("%s with line breaks and colours creates no log line of its own", async (_, send) => {
    const before = server.output().length;
    await send();
    await waitUntil(() => server.output().length > before);
    await server.fetch("/robots.txt");
    await waitUntil(() => server.output().includes("/robots.txt", before));
    const lines = server.output().slice(before).trimEnd().split("\n");
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(logLines(server).filter(({ msg }) => msg === "forged")).toEqual([]);
    expect(server.output()).not.toContain("\x1b");
  });
});

// C32
describe("an unexpected error", () => {
  const SENTENCE = "Something went wrong.Kindly reload the page";
  /** Internals that only the log may contain. */
  const INSIDE =
    /no such table|SqliteError|better-sqlite3|node_modules|\bat \w+.*:\d+:\d+|\.server\.ts|build\/server/;
  const TABLES = [
    "submission_counts",
    "campaigns",
    "deliveries",
    "suppressions",
    "outbox_emails",
    "attempts",
  ];

  const server = useServer({});
  const superadmin = useSuperadmin(server);
  let stamp: string;
  beforeAll(async () => {
    stamp = await stampOfAPerson(server);
    for (const table of TABLES) dropTable(server, table);
  });

  async function expectLogged(answer: Response): Promise<string> {
    const id = answer.headers.get("X-Request-Id") ?? "";
    const find = () => logLines(server).find((line) => line.id === id && line.level === 50);
    const line = await waitUntil(find);
    expect(line.err).toMatchObject({
      message: expect.stringContaining("no such table"),
      stack: expect.stringMatching(/^SqliteError: no such table.*\n\s+at .*:\d+:\d+/s),
    });
    return id;
  }

  it.each(["/admin/dashboard", "/admin/outreach/01a1fd88-d3e9-7125-a3db-0e87073f2070", "/admin/outbox"])(
    "in the loader of %s shows the sentence and the request's id",
    async (path) => {
      const page = await superadmin.get(path);
      const html = await readText(page, 500);
      expect(html).toContain(SENTENCE);
      expect(html).not.toMatch(INSIDE);
      expect(html).toContain(await expectLogged(page));
      // The navigation stays.
      expect(html).toContain('aria-label="Back office"');

      const data = await superadmin.get(`${path}.data`);
      expect(await readText(data, 500)).not.toMatch(INSIDE);
      await expectLogged(data);
    },
  );

  it.each<[string, number, string, Record<string, string>]>([
    ["/admin/dashboard", 500, SENTENCE, { intent: "edit", audience: "early-access" }],
    ["/admin/outreach/01a1fd88-d3e9-7125-a3db-0e87073f2070", 500, SENTENCE, { intent: "pause" }],
    ["/login", 500, "Login failed. Please try again later.", { email: "a@example.com", password: "x" }],
    [
      "/early-access",
      503,
      "Something went wrong. Please try again.",
      { name: "Ada", email: "a@example.com" },
    ],
    ["/updates", 503, "Something went wrong. Please try again.", { name: "Ada", email: "a@example.com" }],
    [
      "/contact",
      503,
      "Something went wrong. Please try again or email us directly.",
      { fullName: "Ada", email: "a@example.com", inquiryType: "support", message: "Help" },
    ],
    [
      "/admin/password-reset",
      500,
      "An error occurred. Please try again.",
      {
        currentPassword: "correct horse battery",
        newPassword: "another one",
        confirmPassword: "another one",
      },
    ],
  ])("in the action of %s is %i in the product's own words", async (path, status, words, fields) => {
    // The login page redirects a signed-in account.
    const from = path === "/login" ? someone() : superadmin.headers;
    const page = await server.fetch(path, formPost({ stamp, ...fields }, from));
    const html = await readText(page, status);
    expect(html).toContain(words);
    expect(html).not.toMatch(INSIDE);
    await expectLogged(page);

    const data = await server.fetch(`${path}.data`, formPost({ stamp, ...fields }, from));
    expect(await readText(data, status)).not.toMatch(INSIDE);
    await expectLogged(data);
  });

  it("keeps the frame of every screen that cannot be read", async () => {
    const tables = readRows(server, "select name from sqlite_master where type = 'table'").map(({ name }) =>
      String(name),
    );
    // What the guard of a screen reads, and what belongs to SQLite's own search tables.
    const kept =
      /^(?:sqlite_|accounts$|sessions$|second_factors$|secrets$|(?:search|submission|people)_index|kysely_)/;
    for (const table of tables.filter((name) => !kept.test(name))) dropTable(server, table);

    const failed: string[] = [];
    for (const { path, hasLoader } of builtRoutes()) {
      if (!path.startsWith("/admin/") || !hasLoader) continue;
      const page = await superadmin.get(path);
      // A screen that reads no table cannot fail, and a download has no frame.
      if (page.status !== 500 || !page.headers.get("Content-Type")?.startsWith("text/html")) continue;
      failed.push(path);
      const html = await readText(page, 500);
      expect([path, html.includes(SENTENCE), html.includes('aria-label="Back office"')]).toEqual([
        path,
        true,
        true,
      ]);
    }
    expect(failed.length).toBeGreaterThan(12);
  });

  it("offers to reload the page as it was asked for", async () => {
    const expectReload = async (path: string) => {
      const html = await readText(superadmin.get(path), 500);
      const [, link] = /href="([^"]*)"[^>]*>Reload the page</.exec(html) ?? [];
      expect(new URL(link ?? "/no-link", `http://localhost${path}`).href).toBe(`http://localhost${path}`);
    };
    await expectReload("/admin/people?q=ada&page=3");
    // The layout around it fails as well.
    dropTable(server, "sessions");
    await expectReload("/admin/people?q=ada&page=3");
  });

  it("does not affect other requests", async () => {
    for (const path of ["/healthz", "/"]) expect((await server.fetch(path)).status).toBe(200);
    expect(server.output()).not.toMatch(/unhandled rejection|uncaught exception/);
  });
});
