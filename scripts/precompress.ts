import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import type { Plugin } from "vite";

const compress = promisify(brotliCompress);

/**
 * Writes a .br beside each script, style sheet and vector image of the build, at the highest compression: once
 * here, instead of less well on every request. The guard sends them (server/cache/asset-cache.ts).
 */
export function precompress(folder: string): Plugin {
  return {
    name: "precompress",
    apply: (_, { isSsrBuild }) => isSsrBuild === true,
    closeBundle: {
      // Runs last: Remix builds for the server after the browser, and adds its manifest to the browser's files.
      order: "post",
      sequential: true,
      async handler() {
        const names = (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name));
        await Promise.all(
          names.map(async (name) => {
            const file = join(folder, name);
            await writeFile(`${file}.br`, await compress(await readFile(file)));
          }),
        );
      },
    },
  };
}
