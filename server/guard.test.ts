import { describe, expect, test, vi } from "vitest";
import { getSampleValue, METRICS, scrape } from "../tests/exposition.ts";
import { removeAfterTest, useFixture } from "../tests/fixture.ts";
import { DOCUMENT, HSTS, NO_STORE, OTHER, TEXT, ours } from "./fixtures/expected-headers.ts";
import { type FixtureChild, spawnFixture } from "./fixtures/spawn.ts";
import { ask, open, parseAnswer, post, type RawAnswer, readAll, sendRaw } from "./fixtures/raw-http.ts";

// Child processes on a busy machine.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const plain = useFixture(() => spawnFixture());
const configured = useFixture(() => spawnFixture({ ORIGIN: "https://desk.example", TRUST_PROXY: "1" }));

const PAGE_ALLOW = { allow: "GET, HEAD, POST, OPTIONS" };
const big = "a=" + "x".repeat(65_536);

describe("the exact headers of every response:", () => {
  type Row = [string, number, (port: number) => Promise<RawAnswer>, Record<string, unknown>];
  const PAGE = { ...DOCUMENT, "cache-control": "private, no-cache" };
  const rows: Row[] = [
    ["a page", 200, (p) => ask(p, "GET /page"), PAGE],
    ["a missing page", 404, (p) => ask(p, "GET /missing"), { ...DOCUMENT, ...NO_STORE }],
    // C48
    ["a missing asset", 404, (p) => ask(p, "GET /static/missing.js"), TEXT],
    ["a missing file", 303, (p) => ask(p, "GET /x.y"), { ...OTHER, ...NO_STORE, location: "/" }],
    ["/metrics without a token", 404, (p) => ask(p, "GET /metrics"), TEXT],
    ["/healthz", 200, (p) => ask(p, "GET /healthz"), TEXT],
    ["/readyz without a probe", 503, (p) => ask(p, "GET /readyz"), TEXT],
    ["an application that breaks", 500, (p) => ask(p, "GET /throw"), TEXT],
    ["an OPTIONS request", 204, (p) => ask(p, "OPTIONS /page"), { ...OTHER, ...NO_STORE, ...PAGE_ALLOW }],
    ["a method that is not allowed", 405, (p) => ask(p, "TRACE /page"), { ...TEXT, ...PAGE_ALLOW }],
    ["an unknown method", 405, (p) => ask(p, "FOO /page"), { ...TEXT, ...PAGE_ALLOW }],
    ["a tunnel", 405, (p) => ask(p, "CONNECT evil.example:443"), { ...TEXT, ...PAGE_ALLOW }],
    ["a body that is too long", 413, (p) => post(p, "/echo", big), TEXT],
    ["an impossible Expect", 417, (p) => ask(p, "GET /page", { Expect: "miracles" }), TEXT],
    ["a missing Host", 400, (p) => ask(p, "GET /page", { Host: undefined }), TEXT],
    ["headers that are too long", 431, (p) => ask(p, "GET /page", { "X-Long": "a".repeat(20_000) }), TEXT],
    ["a malformed request line", 400, (p) => sendRaw(p, "GET /page\tHTTP/1.1\r\n\r\n"), TEXT],
    ["bytes that are no HTTP", 400, (p) => sendRaw(p, "\x16\x03\x01\x02\r\n\r\n"), TEXT],
  ];
  test.each(rows)("%s is %i", async (_, status, request, headers) => {
    const answer = await request(plain.port);
    expect(answer.status).toBe(status);
    expect(ours(answer)).toEqual(headers);
  });

  test("an https origin has HSTS for two years", async () => {
    const page = await ask(configured.port, "GET /page", { Host: "desk.example" });
    expect(ours(page)).toEqual({ ...DOCUMENT, ...HSTS, "cache-control": "private, no-cache" });
    expect(ours(await sendRaw(configured.port, "nonsense\r\n\r\n"))).toEqual({ ...TEXT, ...HSTS });
  });
});

test("a client that asks for a tunnel and resets the connection harms nobody", async () => {
  for (let n = 0; n < 20; n += 1) {
    const socket = await open(plain.port);
    socket.write("CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n");
    socket.resetAndDestroy();
  }
  expect((await ask(plain.port, "GET /page")).status).toBe(200);
});

test("a server created by a named import of node:http is guarded too", async () => {
  expect(await plain.waitForEvent("named import is guarded too")).toBe(true);
});

describe("a request as the application sees it", () => {
  const seen = async (answer: Promise<RawAnswer>) => JSON.parse((await answer).body) as Record<string, never>;

  // C12
  test("has no X-Forwarded-Host, X-Request-Id or Origin of the client", async () => {
    const headers = { "X-Forwarded-Host": "evil.example:666", "X-Request-Id": "forged", Origin: "null" };
    const received = await seen(post(plain.port, "/echo", "a=1", headers));
    expect(received.headers).not.toHaveProperty("x-forwarded-host");
    expect(received.headers).not.toHaveProperty("x-request-id");
    expect(received.headers).not.toHaveProperty("origin");
    expect(received.requestId).not.toBe("forged");
  });

  test("has the last address of X-Forwarded-For, but only behind a trusted proxy", async () => {
    const headers = { "X-Forwarded-For": "6.6.6.6, 203.0.113.9" };
    expect((await seen(post(plain.port, "/echo", "a=1", headers))).clientAddress).toBe("127.0.0.1");
    const behind = post(configured.port, "/echo", "a=1", { ...headers, Host: "desk.example" });
    expect((await seen(behind)).clientAddress).toBe("203.0.113.9");
  });

  test("has a complete body up to the limit, also after 100 Continue", async () => {
    const body = `a=${"x".repeat(65_534)}`;
    expect((await seen(post(plain.port, "/echo", body))).body).toBe(body);
    const patient = await post(plain.port, "/echo", "a=1", { Expect: "100-continue" });
    expect(patient.status).toBe(100);
    expect(patient.body).toMatch(/^HTTP\/1.1 200 OK/);
    expect((await post(plain.port, "/echo", big, { Expect: "100-continue" })).status).toBe(413);
  });

  // R49
  test("has a complete chunked body up to the limit", async () => {
    const send = (body: string) => {
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      return post(plain.port, "/echo", chunks, {
        "Content-Length": undefined,
        "Transfer-Encoding": "chunked",
      });
    };
    const longest = `a=${"x".repeat(65_534)}`;
    expect((await seen(send(longest))).body).toBe(longest);
    const refused = await send(big);
    expect([refused.status, refused.body]).toEqual([413, expect.stringContaining("64 KB")]);
  });
});

describe("a request is refused", () => {
  // C12
  test("for another host than the configured one, except on probes", async () => {
    expect((await ask(configured.port, "GET /page", { Host: "evil.example" })).status).toBe(421);
    expect((await ask(configured.port, "GET /page", { Host: "DESK.example:443" })).status).toBe(200);
    expect((await ask(configured.port, "GET /healthz", { Host: "10.0.0.7:3000" })).status).toBe(200);
  });

  test.each([
    ["Content-Length and Transfer-Encoding", "Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
    ["two lengths", "Content-Length: 4\r\nContent-Length: 5", "a=1&b"],
    ["a length with a sign", "Content-Length: +4", "a=1&"],
    ["a disguised Transfer-Encoding", "Transfer-Encoding: xchunked", "0\r\n\r\n"],
  ])("when it could be parsed as two: %s", async (_, headers, body) => {
    const smuggled = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n";
    const head = `POST /echo HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\n${headers}\r\n`;
    const answer = await sendRaw(plain.port, `${head}\r\n${body}${smuggled}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).not.toContain("HTTP/1.1");
  });

  test("when its body is too long, with a message that arrives", async () => {
    const socket = await open(plain.port);
    const headers = "Sec-Fetch-Site: same-origin\r\nContent-Length: 5000000";
    const request = `POST /echo HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${"x".repeat(5_000_000)}`;
    const failure = await new Promise((written) => socket.write(request, written));
    expect(failure ?? undefined).toBeUndefined();
    const answer = parseAnswer(await readAll(socket));
    expect(answer.status).toBe(413);
    expect(answer.body).toContain("64 KB");
  });

  test("and its connection closed when its body never ends", async () => {
    const socket = await open(plain.port);
    const startedAt = performance.now();
    socket.write("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n");
    const drip = setInterval(() => socket.writable && socket.write("a"), 50);
    expect(parseAnswer(await readAll(socket)).status).toBe(413);
    clearInterval(drip);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

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

  // C43
  test("masks the secrets in an error's input", async () => {
    const answer = await ask(plain.port, "GET /throw-url");
    const line = await plain.logged(({ id, level }) => id === answer.headers["x-request-id"] && level === 50);
    expect(line).toMatchObject({ err: { input: "//***:***@cache:6379/?password=***" } });
    expect(plain.output()).not.toContain("canary");
  });
});

describe("the cached page", () => {
  const fetchPage = async ({ port }: FixtureChild) => {
    const { status, headers, body } = await ask(port, "GET /");
    const rendering = Number(/rendering\((\d+)\)/.exec(body)?.[1]);
    return { status, isCached: headers.etag !== undefined, rendering };
  };

  // R21
  test("is rendered before /readyz is 200", async () => {
    const child = removeAfterTest(await spawnFixture());
    await child.command("be ready");
    expect((await ask(child.port, "GET /readyz")).status).toBe(200);
    await child.command("break the landing page");
    expect(await fetchPage(child)).toEqual({ status: 200, isCached: true, rendering: 1 });
  });

  test("does not exist in development", async () => {
    const child = removeAfterTest(await spawnFixture({ NODE_ENV: "development" }));
    expect(await fetchPage(child)).toMatchObject({ isCached: false, rendering: 1 });
    expect(await fetchPage(child)).toMatchObject({ isCached: false, rendering: 2 });
  });
});

// C48
test.each([
  ["a file needs no place", "GET", 0],
  ["a form at the path of a file, which the application answers, holds one", "POST", 1],
])("%s", async (_, method, running) => {
  const child = removeAfterTest(await spawnFixture(METRICS));
  const answer =
    method === "GET" ? ask(child.port, "GET /favicon.svg") : post(child.port, "/favicon.svg", "a=1");
  await child.waitForEvent("slow request arrived");
  const samples = await scrape({
    fetch: (path, init) => fetch(`http://127.0.0.1:${child.port}${path}`, init),
  });
  expect(getSampleValue(samples, "frontdesk_http_requests_running")).toBe(running);
  await child.command("finish slow request");
  expect((await answer).status).toBe(200);
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

// R29
describe("no line of the log is lost", () => {
  const ids = async (child: FixtureChild) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(child.port, "GET /page")));
    return answers.map(({ headers }) => headers["x-request-id"]).toSorted();
  };
  const logged = (child: FixtureChild) =>
    child
      .logLines()
      .flatMap(({ path, id }) => (path === "/page" ? [id] : []))
      .toSorted();

  test("on SIGTERM: the last line is that it drained", async () => {
    const child = removeAfterTest(await spawnFixture());
    const requestIds = await ids(child);
    child.process.kill("SIGTERM");
    expect(await child.exited()).toBe(0);
    expect(logged(child)).toEqual(requestIds);
    expect(child.logLines().at(-1)?.msg).toBe("drained");
  });

  test("an uncaught error exits with 1 and is the last line", async () => {
    const child = removeAfterTest(await spawnFixture());
    const requestIds = await ids(child);
    await ask(child.port, "GET /reject");
    expect(await child.exited()).toBe(1);
    expect(logged(child)).toEqual(requestIds);
    const last = child.logLines().at(-1);
    expect(last?.level).toBe(60);
    expect(JSON.stringify(last)).toMatch(/nobody caught this.*application\.ts/);
  });
});
