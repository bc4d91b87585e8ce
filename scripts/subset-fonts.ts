/**
 * npm run fonts: subsets the two fonts of the first visit to the characters of our own texts. Other characters, as in a
 * person's name, come from the full files by unicode-range (app/tailwind.css), only for pages that need them.
 *
 * The results are in app/fonts, because the style sheet names files; a test subsets again and compares.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const require = createRequire(import.meta.url);

/** Printable ASCII, then the letters and marks of good English typesetting. tests/fonts.test.ts finds a missing one. */
export const CHARACTERS =
  Array.from({ length: 95 }, (_, index) => String.fromCodePoint(0x20 + index)).join("") +
  "\u00a0©«·»×–—‘’“”…−";

interface Face {
  file: string;
  source: string;
  options: Parameters<typeof subsetFont>[2];
}

const faces: Face[] = [
  {
    file: "inter-subset.woff2",
    source: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    options: {
      // The weights of the product's design.
      variationAxes: { wght: { min: 400, max: 700 } },
      // The features that app/tailwind.css enables. Not `calt`: its arrows and raised colons weigh as much as a
      // quarter of the file.
      keepFeatures: ["kern", "tnum", "cv11", "ss03"],
      noHinting: true,
    },
  },
  {
    file: "instrument-serif-subset.woff2",
    source: "@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2",
    // Used at 20 px and above, where hinting has no effect.
    options: { keepFeatures: ["kern", "liga"], noHinting: true },
  },
];

/** File name -> content. The same input gives the same bytes on every machine, because it is WebAssembly. */
export async function subsetFaces(): Promise<Map<string, Buffer>> {
  const subsets = faces.map(async ({ file, source, options }) => {
    const font = await readFile(require.resolve(source));
    return [file, await subsetFont(font, CHARACTERS, { ...options, targetFormat: "woff2" })] as const;
  });
  return new Map(await Promise.all(subsets));
}

if (import.meta.main) {
  for (const [file, content] of await subsetFaces()) {
    await writeFile(new URL(`../app/fonts/${file}`, import.meta.url), content);
    process.stdout.write(`app/fonts/${file}: ${content.length} bytes\n`);
  }
}
