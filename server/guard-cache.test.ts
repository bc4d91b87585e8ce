import { afterEach, describe, expect, test, vi } from "vitest";
import { ask } from "./fixtures/raw-http.ts";
import { type FixtureChild, spawnFixture } from "./fixtures/spawn.ts";

// Child processes on a busy machine.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

/** fixtures/quick-preload.mjs: a page is fresh for 1 s, and the last resort until it is 2.5 s old. */
let child: FixtureChild;
afterEach(() => child?.stop());

async function visit() {
  const { status, headers, body } = await ask(child.port, "GET /");
  return {
    status,
    isKept: headers.etag !== undefined,
    rendering: Number(/rendering\((\d+)\)/.exec(body)?.[1]),
  };
}

describe("the kept page", () => {
  test("is one rendering for all, until it is no longer fresh and the next is made", async () => {
    child = await spawnFixture({}, "./quick-preload.mjs");
    const first = await Promise.all(Array.from({ length: 5 }, visit));
    expect(first).toEqual(Array(5).fill({ status: 200, isKept: true, rendering: 1 }));
    await vi.waitUntil(async () => (await visit()).rendering > 1, { timeout: 5000 });
  });

  test("is there before /readyz sends anybody here (R21)", async () => {
    child = await spawnFixture({}, "./quick-preload.mjs");
    child.command("be ready");
    await child.told("be ready");
    expect((await ask(child.port, "GET /readyz")).status).toBe(200);
    child.command("break the landing page");
    await child.told("break the landing page");
    expect(await visit()).toEqual({ status: 200, isKept: true, rendering: 1 });
  });

  test("outlives a broken application for a while, then the application speaks for itself", async () => {
    child = await spawnFixture({}, "./quick-preload.mjs");
    expect(await visit()).toEqual({ status: 200, isKept: true, rendering: 1 });
    child.command("break the landing page");
    await child.told("break the landing page");
    const seen: boolean[] = [];
    const lastStatus = async () => {
      const { status, isKept } = await visit();
      seen.push(isKept);
      return status;
    };
    await vi.waitUntil(async () => (await lastStatus()) === 500, { timeout: 10_000 });
    expect(seen).toEqual([...Array<boolean>(seen.length - 1).fill(true), false]);
    expect(child.logLines()).toContainEqual(
      expect.objectContaining({ level: 40, msg: "the landing page could not be kept" }),
    );
  });

  test("does not exist in development", async () => {
    child = await spawnFixture({ NODE_ENV: "development" });
    const visits = [await visit(), await visit()];
    expect(visits.map(({ isKept, rendering }) => [isKept, rendering])).toEqual([
      [false, 1],
      [false, 2],
    ]);
  });
});

describe("no line of the log is lost (R29)", () => {
  const ids = async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(child.port, "GET /page")));
    return answers.map(({ headers }) => headers["x-request-id"]).toSorted();
  };
  const logged = () =>
    child
      .logLines()
      .flatMap(({ path, id }) => (path === "/page" ? [id] : []))
      .toSorted();

  test("when the process ends in order: its last word is that it has", async () => {
    child = await spawnFixture();
    const asked = await ids();
    child.process.kill("SIGTERM");
    expect(await child.exited()).toBe(0);
    expect(logged()).toEqual(asked);
    expect(child.logLines().at(-1)?.msg).toBe("drained");
  });

  test("when a surprise ends it: its last word is what happened", async () => {
    child = await spawnFixture();
    const asked = await ids();
    await ask(child.port, "GET /reject");
    expect(await child.exited()).toBe(1);
    expect(logged()).toEqual(asked);
    expect(child.logLines().at(-1)?.level).toBe(60);
  });
});
