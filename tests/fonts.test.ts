import * as hb from "harfbuzzjs";
import { globSync, readFileSync } from "node:fs";
import subsetFont from "subset-font";
import { beforeAll, describe, expect, it } from "vitest";
import { CHARACTERS, subsetFaces } from "../scripts/subset-fonts";

const sheet = readFileSync("app/tailwind.css", "utf8");
const faces = [...sheet.matchAll(/@font-face \{([^}]*)\}/g)].map((match) => match[1] ?? "");
const wanted = [...CHARACTERS].map((character) => character.codePointAt(0) ?? 0);

/** Returns the code points of a face's unicode-range. */
function getCodePoints(face: string): number[] {
  const [, list = ""] = /unicode-range:([^;]*);/.exec(face) ?? [];
  return list.split(",").flatMap((entry) => {
    const [first = "", last = first] = entry.trim().replace("U+", "").split("-");
    const start = parseInt(first, 16);
    return Array.from({ length: parseInt(last, 16) - start + 1 }, (_, index) => start + index);
  });
}

async function openFace(file: string): Promise<hb.Face> {
  const sfnt = await subsetFont(readFileSync(file), undefined, { keepAllGlyphs: true, targetFormat: "sfnt" });
  return new hb.Face(new hb.Blob(new Uint8Array(sfnt).buffer));
}

/** Returns the code points that a font file has glyphs for. */
async function readGlyphs(file: string): Promise<number[]> {
  return [...(await openFace(file)).collectUnicodes()];
}

it("every character of the product's own texts is in the subset", () => {
  const used = globSync("app/**/*.{ts,tsx}", { exclude: ["app/**/*.test.*"] }).flatMap((file) =>
    [...readFileSync(file, "utf8")].filter((character) => !CHARACTERS.includes(character)),
  );
  expect([...new Set(used)].filter((character) => character !== "\n")).toEqual([]);
});

let made: Awaited<ReturnType<typeof subsetFaces>>;
beforeAll(async () => {
  made = await subsetFaces();
}, 60_000);

describe.each(globSync("app/fonts/*.woff2"))("%s", (file) => {
  const name = file.split("/").pop() ?? "";

  it("has a glyph for each character of the subset", async () => {
    const glyphs = await readGlyphs(file);
    expect(wanted.filter((codePoint) => !glyphs.includes(codePoint))).toEqual([]);
  });

  it("is what npm run fonts generates from the installed packages", () => {
    expect(made.get(name)?.equals(readFileSync(file))).toBe(true);
  });

  it("is the only face of its family for its characters", () => {
    const own = faces.find((face) => face.includes(name)) ?? "";
    const family = /font-family: "([^"]+)"/.exec(own)?.[1];
    const siblings = faces.filter((face) => face.includes(`font-family: "${family}"`));
    expect(siblings).toHaveLength(3);
    expect(getCodePoints(own)).toEqual([...wanted].sort((a, b) => a - b));
    // Otherwise a browser that times out on it fetches a whole other file.
    const others = siblings.filter((face) => face !== own).flatMap(getCodePoints);
    expect(wanted.filter((codePoint) => others.includes(codePoint))).toEqual([]);
    expect(new Set(siblings.map((face) => /font-weight: ([^;]+);/.exec(face)?.[1])).size).toBe(1);
    // Letters of Polish and Turkish names.
    for (const letter of "Łódźİş") {
      expect(siblings.some((face) => getCodePoints(face).includes(letter.codePointAt(0) ?? 0))).toBe(true);
    }
  });
});

// Whichever of them a machine has: the tests need none of its fonts.
// R52
it.each([
  ["Inter", "inter"],
  ["Instrument Serif", "instrument-serif"],
])("the substitutes of %s have its line height", async (family, name) => {
  const face = await openFace(`app/fonts/${name}-subset.woff2`);
  const { ascender, descender, lineGap } = new hb.Font(face).hExtents();
  const substitutes = faces.filter((one) => one.includes(`font-family: "${family} Fallback`));
  expect(substitutes.length).toBeGreaterThan(1);
  for (const substitute of substitutes) {
    const read = (property: string) =>
      Number(new RegExp(`${property}: ([\\d.]+)%`).exec(substitute)?.[1] ?? Number.NaN) / 100;
    const size = read("size-adjust");
    expect(read("ascent-override") * size).toBeCloseTo(ascender / face.upem, 3);
    expect(read("descent-override") * size).toBeCloseTo(-descender / face.upem, 3);
    expect(read("line-gap-override") * size).toBeCloseTo(lineGap / face.upem, 3);
  }
});
