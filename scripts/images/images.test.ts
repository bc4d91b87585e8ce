import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mark, themeColors } from "~/content/brand-mark";
import { drawImages } from "./images";
import { openRasterizer } from "./rasterizer";
import { drawSocialCard } from "./social-card";

// Drawing unpacks the fonts first.
it("the pictures are what npm run images draws", { timeout: 30_000 }, async () => {
  const drawn = await drawImages();
  expect(drawn.size).toBe(7);
  for (const [file, content] of drawn) expect(readFileSync(file).equals(content), file).toBe(true);
});

async function drawHeadline(tagline: string): Promise<{ lines: string[]; size: number }> {
  const svg = drawSocialCard({ name: "Confer", tagline }, await openRasterizer());
  const [, size, texts = ""] =
    /font-family="Instrument Serif" font-size="(\d+)"[^>]*>(.*?)<\/g>/.exec(svg) ?? [];
  return {
    lines: [...texts.matchAll(/<text[^>]*>([^<]*)</g)].map((match) => match[1] ?? ""),
    size: Number(size),
  };
}

it("a short tagline is large, a long one smaller, and neither is cut", async () => {
  const long =
    "the quiet tools every team of ours was promised, with meetings, tasks, minutes, chat and more besides";
  const small = await drawHeadline(long);
  const large = await drawHeadline("Say less");
  expect(large).toEqual({ lines: ["Say less"], size: 96 });
  expect(small.size).toBeLessThan(96);
  expect(small.lines.join(" ")).toBe(long);
  expect(small.lines.length).toBeLessThanOrEqual(4);
});

it("markup in brand words is escaped", async () => {
  const svg = drawSocialCard({ name: '<b a="1">', tagline: "R&D" }, await openRasterizer());
  expect(svg).toContain("&#60;b a=&#34;1&#34;&#62;");
  expect(svg).toContain("R&#38;D");
});

it("letters beyond Latin-1 are drawn in the product's fonts too", async () => {
  const { measureWidth } = await openRasterizer();
  expect(measureWidth("Łódź", "Instrument Serif", 100)).toBeGreaterThan(100);
});

it("favicon.svg shows the same mark", () => {
  const favicon = readFileSync("public/favicon.svg", "utf8");
  const { foreground, primary } = themeColors.light;
  for (const part of [mark.viewBox, mark.arc, mark.facingArc, foreground, primary]) {
    expect(favicon).toContain(part);
  }
});

it("the theme colours in code equal those of the style sheet", () => {
  const sheet = readFileSync("app/tailwind.css", "utf8");
  for (const [token, color] of Object.entries(themeColors.light)) {
    const name = token.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
    expect(sheet).toContain(`--color-${name}: light-dark(${color}, `);
  }
  expect(sheet).toContain(
    `--color-background: light-dark(${themeColors.light.background}, ${themeColors.dark.background})`,
  );
});
