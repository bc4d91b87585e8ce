import type { Socket } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { useFixture } from "../tests/fixture.ts";
import { ask, open, parseAnswer, readAll } from "./fixtures/raw-http.ts";
import { spawnFixture } from "./fixtures/spawn.ts";
import { serverOptions, TIMEOUTS } from "./guarded-server.ts";

// Child processes on a busy machine.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

/** Limits of quick-preload.mjs: 400 ms for headers, 800 ms for a request, checked every 100 ms. */
const child = useFixture(() => spawnFixture({}, "./quick-preload.mjs"));

test("in production a half-open connection lives at most 15 s and a slow body at most 35 s (R14)", () => {
  const options = serverOptions(TIMEOUTS);
  expect(options).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 });
  expect(options).toMatchObject({ connectionsCheckingInterval: 4_000, maxHeaderSize: 16_384 });
});

/** Sends bytes regularly, so that no idle timeout ends the connection. */
function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.writable && socket.write(bytes), 50);
  socket.once("close", () => clearInterval(timer));
}

describe("a request that never finishes is ended (R14)", () => {
  test("21 half-open connections are closed, and another request is answered meanwhile", async () => {
    const silent = await Promise.all(Array.from({ length: 7 }, () => open(child.port)));
    const begun = await Promise.all(Array.from({ length: 14 }, () => open(child.port)));
    const startedAt = performance.now();
    const closed = Promise.all([...silent, ...begun].map(readAll));
    for (const socket of begun) socket.write("GET /page HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    for (const socket of begun) drip(socket, "a");
    expect((await ask(child.port, "GET /page")).status).toBe(200);
    const answers = await closed;
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThan(350);
    expect(took).toBeLessThan(4000);
    expect(answers.map((text) => parseAnswer(text).status)).toEqual(Array(21).fill(408));
  });

  test("a slow body is answered 408 and logged as aborted", async () => {
    const socket = await open(child.port);
    const ended = readAll(socket);
    const headers = "Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    socket.write(`POST /echo?slow HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: 5000\r\n\r\n`);
    drip(socket, "a");
    expect(parseAnswer(await ended).status).toBe(408);
    const line = await child.logged(({ path, status }) => path === "/echo" && status === 408);
    expect(line.aborted).toBe(true);
  });
});
