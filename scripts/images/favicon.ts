/**
 * npm run favicon: draws public/favicon.ico, for clients that request this path unasked (feed readers, search engines, old
 * browsers). They know no dark scheme, so its ground is light. Its path is fixed, so it is no part of the build; a test
 * draws it again and compares.
 */
import { writeFileSync } from "node:fs";
import { drawImage } from "./images.ts";

const SIZES = [16, 32, 48];

/** Creates an ICO file of PNGs (its directory: 6 bytes, then 16 for each picture). */
export async function createFavicon(): Promise<Buffer> {
  const pictures = await Promise.all(SIZES.map((size) => drawImage(`favicon-${size}.png`)));
  const directory = Buffer.alloc(6 + 16 * SIZES.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(SIZES.length, 4);
  let offset = directory.length;
  pictures.forEach((picture, index) => {
    const entry = 6 + 16 * index;
    directory.writeUInt8(SIZES[index] ?? 0, entry);
    directory.writeUInt8(SIZES[index] ?? 0, entry + 1);
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(32, entry + 6);
    directory.writeUInt32LE(picture.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += picture.length;
  });
  return Buffer.concat([directory, ...pictures]);
}

if (import.meta.main) {
  writeFileSync(new URL("../../public/favicon.ico", import.meta.url), await createFavicon());
}
