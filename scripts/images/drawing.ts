import { mark, themeColors } from "../../app/content/brand-mark.ts";

const { background, foreground, primary } = themeColors.light;

/** Escapes text for an SVG element. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Draws the mark as a nested drawing of `size` units, its corner at x, y. */
export function drawMark(x: number, y: number, size: number): string {
  const { arc, facingArc, point, strokeWidth, viewBox } = mark;
  return (
    `<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="${viewBox}" fill="none" ` +
    `stroke-width="${strokeWidth}" stroke-linecap="round"><path d="${arc}" stroke="${foreground}"/>` +
    `<path d="${facingArc}" stroke="${primary}"/>` +
    `<circle cx="${point.cx}" cy="${point.cy}" r="${point.r}" fill="${primary}"/></svg>`
  );
}

/** Draws an icon of 512 units: the mark in the middle of a paper ground. */
export function drawIcon({ markSize, cornerRadius }: { markSize: number; cornerRadius: number }): string {
  const margin = (512 - markSize) / 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">` +
    `<rect width="512" height="512" rx="${cornerRadius}" fill="${background}"/>` +
    `${drawMark(margin, margin, markSize)}</svg>`
  );
}
