import { expect, test, vi } from "vitest";
import { removeAfterTest } from "../../tests/fixture.ts";
import { ask } from "../fixtures/raw-http.ts";
import { spawnFixture } from "../fixtures/spawn.ts";

// Child processes on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const REQUESTS = 3000;
/** Makes lines so long that they cannot all be buffered; the log contains its beginning. */
const LONG_PATH = `/page/${"a".repeat(1500)}`;

// R38
test("a stalled log delays no response and is reported later", async () => {
  const child = removeAfterTest(await spawnFixture());
  const { stdout } = child.process;
  stdout?.pause();

  let slowestMs = 0;
  for (let sent = 0; sent < REQUESTS; sent += 50) {
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(child.port, `GET ${LONG_PATH}`)));
    slowestMs = Math.max(slowestMs, performance.now() - began);
    expect(answers.filter(({ status }) => status !== 404)).toEqual([]);
  }
  expect((await ask(child.port, "GET /healthz")).status).toBe(200);
  expect(slowestMs).toBeLessThan(5000);

  stdout?.resume();
  const line = await child.logged(({ msg }) => String(msg).startsWith("log lines are missing here"));
  const dropped = Number(line.dropped);
  expect(dropped).toBeGreaterThan(0);
  // The health check has a line too.
  const written = () => child.logLines().filter(({ msg }) => msg === "request").length;
  await vi.waitUntil(() => written() + dropped >= REQUESTS + 1);
  expect(written() + dropped).toBe(REQUESTS + 1);
  // At most 1 MiB waits, and the content of the pipe.
  expect(child.output().length).toBeLessThan(3 * 1024 * 1024);
});

// R38, R21
test("a stalled log does not delay the shutdown", async () => {
  const child = removeAfterTest(await spawnFixture());
  child.process.stdout?.pause();
  for (let sent = 0; sent < 1000; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => ask(child.port, `GET ${LONG_PATH}`)));
  }
  const began = performance.now();
  const exited = new Promise((resolve) => child.process.once("exit", resolve));
  child.process.kill("SIGTERM");
  expect(await exited).toBe(0);
  expect(performance.now() - began).toBeLessThan(10_000);
});
