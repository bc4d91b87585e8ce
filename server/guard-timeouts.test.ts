import type { Socket } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { useFixture } from "../tests/fixture.ts";
import { LARGE_BYTES } from "./fixtures/large-bytes.ts";
import { ask, open, parseAnswer, readAll } from "./fixtures/raw-http.ts";
import { spawnFixture } from "./fixtures/spawn.ts";
import { serverOptions, TIMEOUTS } from "./guarded-server.ts";

// Child processes on a busy machine.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

/** Limits of quick-preload.mjs: 400 ms for headers, 800 ms for a request, 300 ms for reading a response. */
const child = useFixture(() => spawnFixture({}, "./quick-preload.mjs"));

// R14
test("a half-open connection lives 15 s and a slow body 35 s", () => {
  const options = serverOptions(TIMEOUTS);
  expect(options).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 });
  expect(options).toMatchObject({ connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 });
  expect(TIMEOUTS.headersMs + TIMEOUTS.checkEveryMs + TIMEOUTS.spreadMs).toBeLessThan(15_000);
  expect(TIMEOUTS.requestMs + TIMEOUTS.checkEveryMs + TIMEOUTS.spreadMs).toBeLessThan(35_000);
});

/** Sends bytes regularly, so that no idle timeout ends the connection. */
function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.writable && socket.write(bytes), 50);
  socket.once("close", () => clearInterval(timer));
}

// R14
describe("a request that never finishes is ended", () => {
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

// C38
describe("a client that reads nothing of its response", () => {
  /** Asks for a response that the system cannot buffer. */
  async function askForMuch() {
    const socket = (await open(child.port)).pause();
    socket.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    return socket;
  }

  test("is disconnected, and one whose response is not written yet is not", async () => {
    const waiting = ask(child.port, "GET /slow");
    await child.waitForEvent("slow request arrived");
    await askForMuch();
    const line = await child.logged(({ path }) => path === "/large");
    expect(line.aborted).toBe(true);
    await child.command("finish slow request");
    expect((await waiting).body).toBe("done");
  });

  test("is not disconnected when it reads slowly", async () => {
    const socket = await askForMuch();
    const startedAt = performance.now();
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    socket.resume();
    await expect.poll(() => bytes, { timeout: 15_000 }).toBeGreaterThan(LARGE_BYTES);
    expect(performance.now() - startedAt).toBeGreaterThan(600);
  });
});
