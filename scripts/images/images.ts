/**
 * npm run images: draws the pictures of the brand from its words and its mark, into app/images and public/favicon.ico,
 * after one of them changed; a test draws them again and compares.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { getLandingTexts } from "../../app/content/landing.ts";
import { readEnvironment } from "../../app/env.server.ts";
import { composeBrand } from "../../app/services/composition/brand.server.ts";
import { drawIcon } from "./drawing.ts";
import { openRasterizer, type Rasterizer } from "./rasterizer.ts";
import { drawSocialCard, SOCIAL_CARD } from "./social-card.ts";

/** Rounded here, for systems that show it unchanged. */
const icon = drawIcon({ markSize: 336, cornerRadius: 112 });
/** Cropped by the phone: the content lies within the middle 80 % (W3C Web Application Manifest, "safe zone"). */
const maskable = drawIcon({ markSize: 272, cornerRadius: 0 });
/** iOS rounds the corners and crops nothing else. */
const touch = drawIcon({ markSize: 320, cornerRadius: 0 });

/** Large in its square: a tab shows it at 16 pixels. */
const tab = drawIcon({ markSize: 416, cornerRadius: 96 });

const pictures: Record<string, (tools: Rasterizer) => Uint8Array> = {
  "app/images/social-card.png": (tools) => tools.png(drawSocialCard(readWords(), tools), SOCIAL_CARD.width),
  "app/images/apple-touch-icon.png": (tools) => tools.png(touch, 180),
  "app/images/icon-192.png": (tools) => tools.png(icon, 192),
  "app/images/icon-512.png": (tools) => tools.png(icon, 512),
  "app/images/icon-maskable-192.png": (tools) => tools.png(maskable, 192),
  "app/images/icon-maskable-512.png": (tools) => tools.png(maskable, 512),
  // For clients that request this path unasked (feed readers, search engines, old browsers). They know no dark scheme.
  "public/favicon.ico": (tools) => toIco([16, 32, 48].map((size) => [size, tools.png(tab, size)])),
};

/** Returns the words of the preview card. Of the settings only .env counts, which the test of the pictures reads too. */
function readWords(): { name: string; tagline: string } {
  const settings = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  const brand = composeBrand(readEnvironment({ NODE_ENV: "production", ...settings }));
  return { name: brand.name, tagline: getLandingTexts(brand).tagline };
}

/** File name -> content. The same words and mark give the same bytes on every machine. */
export async function drawImages(): Promise<Map<string, Uint8Array>> {
  const tools = await openRasterizer();
  return new Map(Object.entries(pictures).map(([file, draw]) => [file, draw(tools)]));
}

/** Creates an ICO file of PNGs (its directory: 6 bytes, then 16 for each picture). */
function toIco(sizes: readonly (readonly [size: number, png: Uint8Array])[]): Buffer {
  const directory = Buffer.alloc(6 + 16 * sizes.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(sizes.length, 4);
  let offset = directory.length;
  sizes.forEach(([size, png], index) => {
    const entry = 6 + 16 * index;
    directory.writeUInt8(size, entry);
    directory.writeUInt8(size, entry + 1);
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(32, entry + 6);
    directory.writeUInt32LE(png.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  });
  return Buffer.concat([directory, ...sizes.map(([, png]) => png)]);
}

if (import.meta.main) {
  for (const [file, content] of await drawImages()) {
    writeFileSync(new URL(`../../${file}`, import.meta.url), content);
  }
}
