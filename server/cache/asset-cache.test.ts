import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../tests/temporary-folder.ts";
import { AssetCache } from "./asset-cache.ts";

const SCRIPT = "console.log('hello');".repeat(50);
const settings = { https: false, development: false };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "entry-aB3.js"), SCRIPT);
  writeFileSync(join(folder, "entry-aB3.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "alone-cD4.js"), SCRIPT);
  writeFileSync(join(folder, "inter.woff2"), "font");
  writeFileSync(join(folder, "inter.woff2.br"), "font");
});
afterEach(() => rmSync(folder, { recursive: true }));

const ask = (url: string, method = "GET") => new AssetCache(folder, settings).get({ method, url });

describe("the asset cache", () => {
  test("serves a file in every encoding, with an immutable Cache-Control", async () => {
    const kept = await ask("/static/assets/entry-aB3.js");
    expect(brotliDecompressSync(kept!.br.body).toString()).toBe(SCRIPT);
    expect(gunzipSync(kept!.gzip.body).toString()).toBe(SCRIPT);
    expect(kept!.identity.body.toString()).toBe(SCRIPT);
    expect(kept!.br.headers.join("\n")).toMatch(/Content-Type\ntext\/javascript; charset=utf-8/);
    expect(kept!.br.headers.join("\n")).toMatch(/Cache-Control\npublic, max-age=31536000, immutable/);
  });

  test("reads a file once", () => {
    const files = new AssetCache(folder, settings);
    const request = { method: "GET", url: "/static/assets/entry-aB3.js" };
    expect(files.get(request)).toBe(files.get({ ...request, method: "HEAD" }));
  });

  test.each([
    ["a file without a compressed copy", "/static/assets/alone-cD4.js", "GET"],
    ["a font", "/static/assets/inter.woff2", "GET"],
    ["the compressed copy itself", "/static/assets/entry-aB3.js.br", "GET"],
    ["a missing file", "/static/assets/other.js", "GET"],
    ["a path out of the folder", "/static/assets/../entry-aB3.js", "GET"],
    ["another address", "/entry-aB3.js", "GET"],
    ["a post", "/static/assets/entry-aB3.js", "POST"],
  ])("leaves %s to remix-serve", (_, url, method) => {
    expect(ask(url, method)).toBeUndefined();
  });

  test("leaves a file of a removed build to remix-serve", async () => {
    const files = new AssetCache(folder, settings);
    rmSync(join(folder, "entry-aB3.js"));
    expect(await files.get({ method: "GET", url: "/static/assets/entry-aB3.js" })).toBeUndefined();
  });

  test("caches nothing without a build", () => {
    const files = new AssetCache("/no/such/folder", settings);
    expect(files.get({ method: "GET", url: "/static/assets/x.js" })).toBeUndefined();
  });
});
