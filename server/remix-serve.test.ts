import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../scripts/free-port.mjs";
import { ask, open, post, readAll } from "./fixtures/raw-http.ts";
import { type Child, start } from "./fixtures/spawn.ts";

// Child processes on a busy machine.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const cli = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");
const build = fileURLToPath(new URL("./fixtures/remix-build.mjs", import.meta.url));

let child: Child;
let port: number;
beforeAll(async () => {
  port = await freePort();
  child = start(cli, [build], { PORT: String(port), HOST: "127.0.0.1" });
  await child.printed("[remix-serve]");
});
afterAll(() => child?.stop());

describe("in front of the real remix-serve", () => {
  test("a document has the nonce of its policy, and its headers also when compressed", async () => {
    const page = await ask(port, "GET /page");
    const nonce = /<p>([A-Za-z0-9+/]{22}==)<\/p>/.exec(page.body)?.[1];
    expect(nonce).toBeDefined();
    expect(page.headers["content-security-policy"]).toContain(`script-src 'nonce-${nonce}' 'strict-dynamic'`);
    const { headers } = await ask(port, "GET /page", { "Accept-Encoding": "gzip" });
    expect(headers).toMatchObject({ "content-encoding": "gzip", "cache-control": "private, no-cache" });
    expect(headers.vary).toBe("Accept-Encoding, Cookie, Sec-Fetch-Site");
  });

  test("an asset is immutable, a missing one is not", async () => {
    const asset = await ask(port, "GET /static/raw-http.ts");
    expect([asset.status, asset.headers["cache-control"]]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    expect(asset.headers["x-content-type-options"]).toBe("nosniff");
    const missing = await ask(port, "GET /static/missing.js");
    expect([missing.status, missing.headers["cache-control"]]).toEqual([404, "no-store"]);
    const outside = await ask(port, "GET /static/..%2f..%2fpackage.json");
    expect(outside.status).toBeGreaterThanOrEqual(400);
    expect(outside.headers["cache-control"]).toBe("no-store");
  });

  test("request.url is not rewritten by X-Forwarded-Host (C12)", async () => {
    const answer = await post(port, "/resource", "name=Ada", { "X-Forwarded-Host": "evil.example:666" });
    expect(answer.body).toContain(`http://127.0.0.1:${port}/resource Ada`);
  });

  test("a browser that hides its origin can send a form, another site cannot (C7)", async () => {
    expect((await post(port, "/page", "a=1", { Origin: "null" })).status).toBe(200);
    const foreign = { "Sec-Fetch-Site": undefined, Origin: "https://evil.example" };
    expect((await post(port, "/page", "a=1", foreign)).status).toBe(403);
    expect((await post(port, "/resource", "a=1", foreign)).status).toBe(403);
  });

  test("it stops without morgan's lines, stacks or empty lines on the terminal", async () => {
    const idle = await open(port);
    const ended = readAll(idle);
    idle.write("GET /page?secret=1 HTTP/1.1\r\nHost: a\r\n\r\n");
    await child.logged(({ path, address }) => path === "/page" && address === "127.0.0.0");
    const startedAt = performance.now();
    child.process.kill("SIGTERM");
    await ended;
    expect(await child.exited()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(2000);
    const other = child
      .output()
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("{"));
    expect(other).toEqual([expect.stringMatching(/^\[remix-serve\] http/)]);
    expect(child.output()).not.toContain("secret");
  });
});
