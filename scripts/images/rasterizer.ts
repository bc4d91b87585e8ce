import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";
import { escapeXml } from "./drawing.ts";

const require = createRequire(import.meta.url);

/** Converts SVG to PNG with the product's own fonts and no others: the same bytes on every machine. */
export interface Rasterizer {
  /** @param width pixels; the height follows the drawing's */
  png(svg: string, width: number): Uint8Array;
  /** Returns the width of a line in units, at the font's fixed weight. */
  measureWidth(line: string, family: string, size: number): number;
}

/**
 * Loads a font. The rasterizer supports neither woff2 nor variable fonts: each is decompressed and, if variable,
 * fixed at one weight.
 */
async function loadFont(file: string, weight?: number): Promise<Uint8Array> {
  return subsetFont(await readFile(require.resolve(file)), undefined, {
    keepAllGlyphs: true,
    targetFormat: "sfnt",
    ...(weight ? { variationAxes: { wght: weight } } : {}),
  });
}

async function open(): Promise<Rasterizer> {
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fontBuffers = await Promise.all([
    loadFont("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", 600),
    loadFont("@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2", 600),
    loadFont("@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2"),
    loadFont("@fontsource/instrument-serif/files/instrument-serif-latin-ext-400-normal.woff2"),
  ]);
  const font = { fontBuffers, defaultFontFamily: "Inter Variable" };

  const widths = new Map<string, number>();

  return {
    png(svg, width) {
      const drawing = new Resvg(svg, { font, fitTo: { mode: "width", value: width } });
      return drawing.render().asPng();
    },
    measureWidth(line, family, size) {
      // Measured once, at 100 units: without hinting the width is proportional to the size.
      const known = widths.get(`${family} ${line}`);
      if (known !== undefined) return (known * size) / 100;
      const text = `<text font-family="${family}" font-size="100">${escapeXml(line)}</text>`;
      const drawing = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`, { font });
      const width = drawing.getBBox()?.width ?? 0;
      widths.set(`${family} ${line}`, width);
      return (width * size) / 100;
    },
  };
}

let opened: Promise<Rasterizer> | undefined;

/** Opens the rasterizer, once a process: the WebAssembly module can be initialised only once. */
export const openRasterizer = () => (opened ??= open());
