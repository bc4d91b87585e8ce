/**
 * Text as it is stored: NFC, without lone surrogates, line breaks as \n, trimmed (hardening R25).
 * @returns undefined for text with a NUL, which no database and no person wants.
 */
export function cleanText(value: string): string | undefined {
  if (value.includes("\0")) return undefined;
  return value.toWellFormed().normalize("NFC").replace(/\r\n?/g, "\n").trim();
}

/** Length as people count it, near enough: code points. */
export function codePoints(value: string): number {
  return [...value].length;
}

/** Cuts text to `limit` graphemes and says so with `...` (specification, section 9). Never splits an emoji. */
export function truncate(value: string, limit: number): string {
  // A string shorter than the limit in code units cannot have more graphemes.
  if (value.length <= limit) return value;
  let kept = "";
  let count = 0;
  for (const { segment } of graphemes.segment(value)) {
    if (count === limit) return `${kept}...`;
    kept += segment;
    count += 1;
  }
  return value;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
