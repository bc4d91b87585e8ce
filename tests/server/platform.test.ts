import { beforeEach, describe, expect, it } from "vitest";
import { EnvironmentError, readEnvironment } from "~/env.server";
import { PLATFORM_TOKEN, startPlatform } from "../fakes/platform";
import { createSystemResources } from "../factories/resources";
import { bearer, makeToken } from "./made-tokens";
import { getRedirect } from "./operators";
import { PANEL_FIELDS } from "./outreach-screens";
import { readRows } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";
import { useFixture } from "../fixture";

const USES = {
  MAIL_DRIVER: "platform",
  TENANTS_DRIVER: "platform",
  LOGS_DRIVER: "platform",
  RESOURCES_DRIVER: "platform",
  PLATFORM_BROADCASTS: "on",
};
const SET_UP = { PLATFORM_API_URL: "https://api.example.com", PLATFORM_API_TOKEN: PLATFORM_TOKEN };

describe("an incomplete configuration of the platform stops the start", () => {
  const getProblems = (source: Record<string, string>) => {
    try {
      readEnvironment(source as NodeJS.ProcessEnv);
    } catch (error) {
      return error instanceof EnvironmentError ? error.message.split("\n").slice(1) : error;
    }
    return "none";
  };

  it.each(Object.entries(USES))("with the names of what %s=%s needs", (name, value) => {
    expect(getProblems({ [name]: value })).toEqual([
      `  PLATFORM_API_URL: is needed when ${name}=${value}`,
      `  PLATFORM_API_TOKEN: is needed when ${name}=${value}`,
    ]);
    const { PLATFORM_API_TOKEN: _, ...noToken } = SET_UP;
    expect(getProblems({ [name]: value, ...noToken })).toEqual([
      `  PLATFORM_API_TOKEN: is needed when ${name}=${value}`,
    ]);
    expect(getProblems({ [name]: value, ...SET_UP })).toBe("none");
  });

  it.each([
    ["http://api.example.com", "must begin with https, unless it is on this machine"],
    ["ftp://api.example.com", "must be the address of the platform, such as https://api.example.com"],
    ["http://localhost.example.com", "must begin with https, unless it is on this machine"],
  ])("with %s as its address", (url, problem) => {
    expect(getProblems({ PLATFORM_API_URL: url })).toEqual([`  PLATFORM_API_URL: ${problem}`]);
  });

  it.each(["http://localhost:5000/v1", "http://127.0.0.1:5000", "http://[::1]:5000"])(
    "except %s, on this machine",
    (url) => expect(getProblems({ PLATFORM_API_URL: url })).toBe("none"),
  );

  it("with a token that has spaces, which it does not repeat", () => {
    expect(getProblems({ PLATFORM_API_TOKEN: "Bearer secret-token" })).toEqual([
      "  PLATFORM_API_TOKEN: must be only the token, without Bearer and spaces",
    ]);
  });
});

describe("a server that uses the platform for everything", () => {
  const platform = useFixture(startPlatform);
  const server = useServer(() => ({ ...USES, ...platform.environment }));
  const superadmin = useSuperadmin(server);
  const { get, read, post } = superadmin;
  beforeEach(() => {
    platform.failRequest = () => undefined;
    platform.resources = createSystemResources({ redis: true, meetings: 3 });
    platform.applied.splice(0);
  });
  const readText = async (answer: Response) => (await answer.text()).replaceAll("<!-- -->", "");

  it("shows it at the bottom of every screen", async () => {
    const page = await read("/admin/dashboard");
    expect(page).toContain("Email: platform");
    expect(page).toContain(": companies, logs, resources, broadcasts");
  });

  it("offers the platform's companies", async () => {
    const page = await read("/admin/notifications");
    expect(page).toContain("Acme (acme.example)");
    expect(page).toContain("by the platform");
  });

  it("shows the platform's resources, and makes it check on Refresh", async () => {
    expect(await read("/admin/resouces-monitor")).toContain("***:***@127.0.0.1:6379");
    expect((await post("/admin/resouces-monitor")).status).toBe(303);
    await expect.poll(() => platform.applied.map(({ path }) => path)).toContain("/api/resourcemonitor/check");
  });

  // C43
  it.each([
    [
      "cache.example:6380,user=canary-1,password=canary-1,ssl=True",
      "cache.example:6380,user=***,password=***,ssl=True",
    ],
    ["REDIS://:canary-2@cache.example:6379", "REDIS://***:***@cache.example:6379"],
    ["Server=cache.example;Pwd=canary 3==;Ssl=true", "Server=cache.example;Pwd=***;Ssl=true"],
    ["redis://cache.example?password=canary-4", "redis://cache.example?password=***"],
  ])("shows %s as %s: on the page, in three calls and in the log", async (connectionString, masked) => {
    const { redis, ...rest } = createSystemResources({ redis: false });
    platform.resources = { ...rest, redis: { ...redis, connectionString } };
    const headers = bearer(await makeToken(server, superadmin.cookie, { scopes: ["resources:read"] }));
    const call = (path: string, method = "GET") =>
      server.fetch(`/api/resourcemonitor/${path}`, { method, headers });
    const checked = await (await call("check", "POST")).text();
    expect(JSON.parse(checked)).toMatchObject({ redis: { connectionString: masked } });
    const shown = [
      checked,
      await (await call("resources")).text(),
      await (await call("redis-status")).text(),
      await read("/admin/resouces-monitor"),
      await read("/admin/resouces-monitor.data"),
    ];
    for (const text of shown) expect(text).toContain(masked);
    await expect.poll(() => server.output()).toContain(JSON.stringify(masked));
    expect(shown.join() + server.output()).not.toContain("canary");
  });

  it("shows and deletes the platform's log, and keeps its own", async () => {
    platform.logs = ["2026-11-21T12:00:00Z [ERROR] the engine <b>stopped</b>", "no form at all"];
    const page = await read("/admin/logs");
    expect(page).toContain("The platform&#x27;s log.");
    expect(page).toContain("the engine &lt;b&gt;stopped&lt;/b&gt;");
    expect(page).toContain("1 unparsed line is hidden");
    expect(page).not.toContain("/login");
    expect((await post("/admin/logs", { intent: "delete" })).status).toBe(303);
    expect(platform.logs).toEqual([]);
    expect(readRows(server, "select subject, outcome from audit where action = 'delete-logs'")).toEqual([
      { subject: "2 lines", outcome: "ok" },
    ]);
    await expect.poll(() => readRows(server, "select count(*) as n from log_lines")).not.toEqual([{ n: 0 }]);
  });

  it("shows how many of the platform's lines it neither shows nor searches", async () => {
    platform.logs = Array.from({ length: 200_002 }, () => "2026-11-21T12:00:00Z [INFO] a line");
    const page = await read("/admin/logs");
    expect(page).toContain("200,000 lines stored.");
    expect(page).toContain("2 older lines are neither shown nor searched.");
    expect(await read("/admin/logs?step=delete")).toContain("200,002 lines will be deleted.");
  });

  // C43
  it("masks a connection string in the platform's errors and log", async () => {
    // The log is cached for some seconds, unless it is deleted.
    await post("/admin/logs", { intent: "delete" });
    const message = "cannot reach cache.example:6380,password=canary-5,ssl=True";
    platform.failRequest = ({ path }) =>
      path.endsWith("send-email") ? { status: 400, text: message } : undefined;
    platform.logs = [`2026-11-21T12:00:00Z [ERROR] ${message}`];
    const email = { ...PANEL_FIELDS, testAddress: "ada@example.test" };
    const refused = await readText(await post("/admin/dashboard", { ...email, intent: "test" }));
    const log = await read("/admin/logs");
    for (const text of [refused, log]) expect(text).toContain("cache.example:6380,password=***,ssl=True");
    expect(await read("/admin/logs?q=canary")).not.toContain("cache.example");
    expect(refused + log + server.output()).not.toContain("canary-5");
  });

  it("sends emails through the platform", async () => {
    const email = { ...PANEL_FIELDS, title: "Hello", testAddress: "ada@example.test" };
    expect((await post("/admin/dashboard", { ...email, intent: "test" })).status).toBe(303);
    expect(platform.applied).toMatchObject([
      { path: "/api/Email/send-email", body: { ToEmail: "ada@example.test", Subject: "[Test] Hello" } },
    ]);
  });

  it("works without the platform, and each screen shows what is missing", async () => {
    // The log is cached for some seconds, unless it is deleted.
    await post("/admin/logs", { intent: "delete" });
    platform.failRequest = () => ({ status: 500, text: "maintenance" });
    const answer = await get("/admin/logs?level=ERROR");
    expect(answer.status).toBe(503);
    const logs = await readText(answer);
    expect(logs).toContain("The platform&#x27;s log could not be loaded");
    expect(logs, "keeps the filter").toMatch(/<a [^>]*href=""[^>]*>Try Again</);
    // As the browser asks for a line, without the list beside it.
    const line = await get("/admin/logs/1.data?_routes=routes%2Fadmin.logs.%24id");
    expect([line.status, await readText(line)]).toEqual([503, expect.stringContaining("500 maintenance")]);
    // As a live page asks for it; it keeps what it shows.
    expect((await get("/admin/logs/newest.data?level=ERROR")).status).toBe(200);
    expect((await get("/admin/dashboard")).status).toBe(200);
    expect((await get("/admin/notifications")).status).toBe(200);
    expect((await get("/admin/search?q=maintenance")).status).toBe(200);
    expect((await post("/admin/logs", { intent: "delete" })).status).toBe(500);
    const download = await post("/admin/logs/export?level=ERROR");
    expect(getRedirect(download)).toEqual([303, "/admin/logs?level=ERROR"]);
    expect(readRows(server, "select id from audit where action = 'export-logs'")).toEqual([]);
    await expect.poll(() => server.output()).toContain("the platform's log could not be read");
    const failures = server
      .output()
      .split("\n")
      .filter((line) => line.includes('"request failed"'));
    expect(failures.filter((line) => line.includes("/admin/logs/newest"))).toEqual([]);
    expect(server.output()).not.toContain(PLATFORM_TOKEN);
  });
});
