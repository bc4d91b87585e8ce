import { afterEach, describe, expect, test } from "vitest";
import { ask } from "./fixtures/raw-http.ts";
import { type FixtureChild, spawnFixture } from "./fixtures/spawn.ts";

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
    child = await spawnFixture();
    await child.command("be ready");
    expect((await ask(child.port, "GET /readyz")).status).toBe(200);
    await child.command("break the landing page");
    expect(await fetchPage()).toEqual({ status: 200, isCached: true, rendering: 1 });
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
