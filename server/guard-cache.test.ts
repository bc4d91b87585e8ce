import { afterEach, describe, expect, test, vi } from "vitest";
import { ask } from "./fixtures/raw-http.ts";
import { type FixtureChild, spawnFixture } from "./fixtures/spawn.ts";

/** fixtures/quick-preload.mjs: a page is fresh for 1 s, and stands in for errors until it is 2.5 s old. */
let child: FixtureChild;
afterEach(() => child?.stop());

async function fetchPage() {
  const { status, headers, body } = await ask(child.port, "GET /");
  return {
    status,
    isCached: headers.etag !== undefined,
    rendering: Number(/rendering\((\d+)\)/.exec(body)?.[1]),
  };
}

describe("the cached page", () => {
  test("is rendered before /readyz is 200 (R21)", async () => {
    child = await spawnFixture({}, "./quick-preload.mjs");
    await child.command("be ready");
    expect((await ask(child.port, "GET /readyz")).status).toBe(200);
    await child.command("break the landing page");
    expect(await fetchPage()).toEqual({ status: 200, isCached: true, rendering: 1 });
  });

  test("is served while the application fails, up to its maximum age", async () => {
    child = await spawnFixture({}, "./quick-preload.mjs");
    expect(await fetchPage()).toEqual({ status: 200, isCached: true, rendering: 1 });
    await child.command("break the landing page");
    const seen: boolean[] = [];
    const lastStatus = async () => {
      const { status, isCached } = await fetchPage();
      seen.push(isCached);
      return status;
    };
    await vi.waitUntil(async () => (await lastStatus()) === 500, { timeout: 10_000 });
    expect(seen).toEqual([...Array<boolean>(seen.length - 1).fill(true), false]);
    expect(child.logLines()).toContainEqual(
      expect.objectContaining({ level: 40, msg: "the landing page could not be cached" }),
    );
  });

  test("does not exist in development", async () => {
    child = await spawnFixture({ NODE_ENV: "development" });
    const responses = [await fetchPage(), await fetchPage()];
    expect(responses.map(({ isCached, rendering }) => [isCached, rendering])).toEqual([
      [false, 1],
      [false, 2],
    ]);
  });
});
