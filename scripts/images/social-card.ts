import { themeColors } from "../../app/content/brand-mark.ts";
import { arcPath } from "../../app/lib/arc-path.ts";
import { drawMark, escapeXml } from "./drawing.ts";
import type { Rasterizer } from "./rasterizer.ts";

/** The usual size of link previews (Open Graph). */
export const SOCIAL_CARD = { width: 1200, height: 630 } as const;

const MARGIN = 80;
const HEADLINE = {
  family: "Instrument Serif",
  width: 800,
  largest: 96,
  smallest: 44,
  lineHeight: 1.04,
  lines: 4,
};
/** The centre of the mark's arcs, far right. */
const CENTRE = { x: 1010, y: 330 };
const RADII = [150, 215, 285, 360, 440, 525];

/** Draws the picture of a shared link: mark and name, the tagline, and the mark's arcs drawn large. */
export function drawSocialCard(
  words: { name: string; tagline: string },
  { measureWidth }: Rasterizer,
): string {
  const { background, border, foreground, primary } = themeColors.light;
  const { width, height } = SOCIAL_CARD;
  const { lines, size } = fit(words.tagline, measureWidth);
  const step = size * HEADLINE.lineHeight;
  // The last line's baseline is on the margin, whatever their number.
  const headline = lines.map((line, index) => {
    const y = height - MARGIN - size * 0.2 - (lines.length - 1 - index) * step;
    return `<text x="${MARGIN}" y="${y.toFixed(1)}">${escapeXml(line)}</text>`;
  });
  const arcs = RADII.map((radius, index) => {
    const accent = index === 0 ? primary : border;
    return (
      `<path d="${arcPath(CENTRE, radius, [52, 308])}" stroke="${border}" stroke-width="${index === 0 ? 4 : 2}"/>` +
      `<path d="${arcPath(CENTRE, radius, [-24, 24])}" stroke="${accent}" stroke-width="${index === 0 ? 4 : 2}"/>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="${background}"/>` +
    `<g fill="none" stroke-linecap="round">${arcs.join("")}</g>` +
    `<circle cx="${CENTRE.x}" cy="${CENTRE.y}" r="40" fill="${primary}"/>` +
    drawMark(MARGIN, 74, 60) +
    `<text x="${MARGIN + 78}" y="119" font-family="Inter Variable" font-size="42" font-weight="600" ` +
    `letter-spacing="-0.8" fill="${foreground}">${escapeXml(words.name)}</text>` +
    `<g font-family="${HEADLINE.family}" font-size="${size}" letter-spacing="${(size * -0.015).toFixed(2)}" ` +
    `fill="${foreground}">${headline.join("")}</g></svg>`
  );
}

/**
 * Returns the largest size at which the words fit into the available lines; longer ones are set at the smallest.
 */
function fit(words: string, measureWidth: Rasterizer["measureWidth"]): { lines: string[]; size: number } {
  const { family, largest, smallest, width } = HEADLINE;
  for (let size = largest; ; size -= 4) {
    const measure = (line: string) => measureWidth(line, family, size);
    const lines = breakLines(words, measure, width);
    const fits = lines.length <= HEADLINE.lines && lines.every((line) => measure(line) <= width);
    if (fits || size <= smallest) return { lines: balance(words, measure, lines), size };
  }
}

/** Balances the words over the same number of lines. */
function balance(words: string, measure: (line: string) => number, lines: string[]): string[] {
  for (let width = HEADLINE.width; ; width -= 20) {
    const narrower = breakLines(words, measure, width);
    if (narrower.length > lines.length || narrower.some((line) => measure(line) > width)) return lines;
    lines = narrower;
  }
}

/** Breaks words into lines of at most `width`; a word that does not fit gets a line of its own. */
function breakLines(words: string, measure: (line: string) => number, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
