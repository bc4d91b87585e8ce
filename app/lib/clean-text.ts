/** Thirty combining marks on one letter, and one more: more than any language writes. U+034F separates them. */
const LONG_RUN_OF_MARKS = /(?:(?!\u034F)\p{M}){30}(?=(?!\u034F)\p{M})/gu;

/**
 * Cleans a text for storage: NFC, without lone surrogates, LF line breaks, trimmed (hardening R25).
 * Normalisation sorts a letter's marks in quadratic time: 64 KiB of them block the event loop for most of a
 * second. An invisible U+034F after every thirty keeps it linear (UAX #15, Stream-Safe Text; C37).
 * @returns undefined for text with a NUL, which databases refuse.
 */
export function cleanText(value: string): string | undefined {
  if (value.includes("\0")) return undefined;
  return value
    .toWellFormed()
    .replace(LONG_RUN_OF_MARKS, "$&\u034F")
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .trim();
}

/** Counts code points, an approximation of the characters people see. */
export function codePoints(value: string): number {
  return Array.from(value).length;
}

/** Truncates text to `limit` graphemes and appends `...` (specification, section 9). Never splits an emoji. */
export function truncate(value: string, limit: number): string {
  // A string shorter than the limit in code units cannot have more graphemes.
  if (value.length <= limit) return value;
  // Each of these characters is a grapheme; finding those of other texts takes a hundred times as long.
  if (/^[ -~]*$/.test(value.slice(0, limit + 1))) return `${value.slice(0, limit)}...`;
  let kept = "";
  let count = 0;
  for (const { segment } of graphemes.segment(value)) {
    if (count === limit) return `${kept}...`;
    kept += segment;
    count += 1;
  }
  return value;
}

/** Yields what people see as characters; a long text is read only as far as it is needed. */
export function* listGraphemes(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
