import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { NO_STORE, OTHER, ours } from "./fixtures/expected-headers.ts";
import { type FixtureChild, spawnFixture } from "./fixtures/spawn.ts";
import { ask, post } from "./fixtures/raw-http.ts";

// Child processes on a busy machine.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

let plain: FixtureChild;
let configured: FixtureChild;
beforeAll(async () => {
  [plain, configured] = await Promise.all([
    spawnFixture(),
    spawnFixture({ ORIGIN: "https://desk.example", TRUST_PROXY: "1" }),
  ]);
});
afterAll(() => Promise.all([plain?.stop(), configured?.stop()]));

describe("the log", () => {
  test("has one line per request, without the query, the token and the full address", async () => {
    const { port } = configured;
    const headers = { Host: "desk.example", Cookie: "sid=canary", "User-Agent": "canary" };
    const via = { ...headers, "X-Forwarded-For": "203.0.113.77" };
    const answers = [
      await ask(port, "GET /page?email=canary", via),
      await ask(port, "GET /unsubscribe/canary-token.data?x=canary", headers),
      await post(port, "/echo?canary", "canary", headers),
    ];
    const [id, tokenId, postId] = answers.map((answer) => answer.headers["x-request-id"]);
    await configured.logged((line) => line.id === postId);
    const lines = configured.logLines().filter((line) => line.id === id);
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        id,
        method: "GET",
        path: "/page",
        status: 200,
        ms: expect.any(Number),
        bytes: expect.any(Number),
        address: "203.0.113.0",
        aborted: false,
        msg: "request",
      },
    ]);
    expect(Number(lines[0]?.bytes)).toBeGreaterThan(500);
    expect(configured.logLines().find((line) => line.id === tokenId)?.path).toBe("/unsubscribe/:token");
    expect(configured.output()).not.toContain("canary");
  });

  test("cannot be forged by a path, and logs assets at debug level", async () => {
    await ask(plain.port, "GET /a%0a%7b%22forged%22:1%7d");
    const forged = await plain.logged((line) => String(line.path).startsWith("/a%0a"));
    expect(forged.level).toBe(30);
    await ask(plain.port, "GET /static/app.js?v=1");
    expect((await plain.logged((line) => line.path === "/static/app.js")).level).toBe(20);
  });

  test("has the error with the request id that the visitor was shown", async () => {
    const answer = await ask(plain.port, "GET /throw");
    expect(answer.body).not.toContain("broke");
    const line = await plain.logged(({ id, level }) => id === answer.headers["x-request-id"] && level === 50);
    expect(JSON.stringify(line)).toContain("the application broke");
  });

  test("masks the secrets in an error's input (C43)", async () => {
    const answer = await ask(plain.port, "GET /throw-url");
    const line = await plain.logged(({ id, level }) => id === answer.headers["x-request-id"] && level === 50);
    expect(line).toMatchObject({ err: { input: "//***:***@cache:6379/?password=***" } });
    expect(plain.output()).not.toContain("canary");
  });
});

describe("a policy violation report", () => {
  const report = JSON.stringify({
    "csp-report": {
      "effective-directive": "img-src",
      "blocked-uri": "https://evil.example/pixel?secret=1",
      "document-uri": "https://desk.example/unsubscribe/secret-token?secret=2",
    },
  });
  const asReport = { "Content-Type": "application/csp-report", "Sec-Fetch-Site": undefined, Cookie: "sid=1" };

  test("is answered 204 and logged as a warning without queries and tokens", async () => {
    const answer = await post(plain.port, "/csp-report", report, asReport);
    expect([answer.status, ours(answer)]).toEqual([204, { ...OTHER, ...NO_STORE }]);
    const line = await plain.logged(({ directive }) => directive !== undefined);
    expect(line).toMatchObject({
      level: 40,
      directive: "img-src",
      blocked: "https://evil.example",
      path: "/unsubscribe/:token",
    });
    expect(plain.output()).not.toContain("secret");
  });
});

describe("no line of the log is lost (R29)", () => {
  let child: FixtureChild;
  afterEach(() => child?.stop());
  const ids = async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(child.port, "GET /page")));
    return answers.map(({ headers }) => headers["x-request-id"]).toSorted();
  };
  const logged = () =>
    child
      .logLines()
      .flatMap(({ path, id }) => (path === "/page" ? [id] : []))
      .toSorted();

  test("on SIGTERM: the last line is that it drained", async () => {
    child = await spawnFixture();
    const asked = await ids();
    child.process.kill("SIGTERM");
    expect(await child.exited()).toBe(0);
    expect(logged()).toEqual(asked);
    expect(child.logLines().at(-1)?.msg).toBe("drained");
  });

  test("on an uncaught error, which exits with 1: the last line is the error with its stack", async () => {
    child = await spawnFixture();
    const asked = await ids();
    await ask(child.port, "GET /reject");
    expect(await child.exited()).toBe(1);
    expect(logged()).toEqual(asked);
    const last = child.logLines().at(-1);
    expect(last?.level).toBe(60);
    expect(JSON.stringify(last)).toMatch(/nobody caught this.*application\.ts/);
  });
});
