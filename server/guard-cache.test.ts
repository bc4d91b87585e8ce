import { describe, expect, test } from "vitest";
import { removeAfterTest } from "../tests/fixture.ts";
import { ask } from "./fixtures/raw-http.ts";
import { spawnFixture } from "./fixtures/spawn.ts";

async function fetchPage({ port }: { port: number }) {
  const { status, headers, body } = await ask(port, "GET /");
  return {
    status,
    isCached: headers.etag !== undefined,
    rendering: Number(/rendering\((\d+)\)/.exec(body)?.[1]),
  };
}

describe("the cached page", () => {
  test("is rendered before /readyz is 200 (R21)", async () => {
    const child = removeAfterTest(await spawnFixture());
    await child.command("be ready");
    expect((await ask(child.port, "GET /readyz")).status).toBe(200);
    await child.command("break the landing page");
    expect(await fetchPage(child)).toEqual({ status: 200, isCached: true, rendering: 1 });
  });

  test("does not exist in development", async () => {
    const child = removeAfterTest(await spawnFixture({ NODE_ENV: "development" }));
    const responses = [await fetchPage(child), await fetchPage(child)];
    expect(responses.map(({ isCached, rendering }) => [isCached, rendering])).toEqual([
      [false, 1],
      [false, 2],
    ]);
  });
});
