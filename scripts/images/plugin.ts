import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import type * as Images from "./images.ts";

const PREFIX = "brand-image:";

/**
 * `import url from "brand-image:social-card.png"`: draws the picture and hands its file to Vite, which treats it as any
 * other (served in development, hashed under /static/ in a build: other brand words, other address).
 */
export function brandImages(): Plugin {
  const drawn = new Map<string, Promise<string>>();
  return {
    name: "brand-images",
    enforce: "pre",
    resolveId(source) {
      if (!source.startsWith(PREFIX)) return undefined;
      const name = source.slice(PREFIX.length);
      const file = drawn.get(name) ?? draw(name);
      drawn.set(name, file);
      return file;
    },
  };
}

async function draw(name: string): Promise<string> {
  const file = fileURLToPath(new URL(`../../.cache/images/${name}`, import.meta.url));
  // Imported by Node itself, not bundled into Vite's configuration: that is loaded several times, but the
  // rasterizer opens only once.
  const images = (await import(new URL("./images.ts", import.meta.url).href)) as typeof Images;
  const png = await images.drawImage(name);
  await mkdir(dirname(file), { recursive: true });
  // Written atomically: the builds of the server and of the pages both draw it, and one may be reading it.
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, png);
  await rename(unfinished, file);
  return file;
}
