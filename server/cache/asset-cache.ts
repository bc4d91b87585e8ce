import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { extname, join } from "node:path";
import { type CachedResponse, createCachedResponse } from "./cached-response.ts";
import type { HeaderSettings } from "../response/response-headers.ts";

/** The URL prefix of Vite's hashed assets (`base` in vite.config.ts). */
const ADDRESS = "/static/assets/";
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Serves the build's precompressed files, read once; remix-serve compresses on every request, and less. */
export class AssetCache {
  readonly #folder: string;
  readonly #settings: HeaderSettings;
  readonly #names: ReadonlySet<string>;
  readonly #responses = new Map<string, Promise<CachedResponse | undefined>>();

  /** @param folder holds the files; without it nothing is cached. */
  constructor(folder: string, settings: HeaderSettings) {
    this.#folder = folder;
    this.#settings = settings;
    const names = globSync("*.br", { cwd: folder }).map((name) => name.slice(0, -".br".length));
    this.#names = new Set(names.filter((name) => extname(name) in TYPES));
  }

  /** @returns undefined, synchronously or not, when remix-serve answers. */
  get(request: Pick<IncomingMessage, "method" | "url">): Promise<CachedResponse | undefined> | undefined {
    const { method, url = "" } = request;
    if ((method !== "GET" && method !== "HEAD") || !url.startsWith(ADDRESS)) return undefined;
    const name = url.slice(ADDRESS.length);
    // Only names of the build are cached, so clients cannot exhaust the memory.
    if (!this.#names.has(name)) return undefined;
    const known = this.#responses.get(name) ?? this.#read(name);
    this.#responses.set(name, known);
    return known;
  }

  async #read(name: string): Promise<CachedResponse | undefined> {
    const file = join(this.#folder, name);
    try {
      const [body, br] = await Promise.all([readFile(file), readFile(`${file}.br`)]);
      const contentType = TYPES[extname(name)] ?? "";
      const content = { path: ADDRESS + name, contentType, body, scripts: "" };
      return await createCachedResponse(content, this.#settings, br);
    } catch {
      // The build is being replaced: remix-serve answers with what exists.
      return undefined;
    }
  }
}
