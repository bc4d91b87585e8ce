/** Text is defused and quoted; a number stands as it is, so that a column of figures can be summed. */
export type CsvCell = string | number;

/**
 * What makes a spreadsheet take a text for a formula, or drop the character and then do so (OWASP, CSV injection; ASVS
 * 1.2.10; hardening C21): = + - @, their fullwidth forms, TAB, line ends and NUL.
 */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n\0]/;

/** One record of RFC 4180, its line end included. Every text is quoted; what would be a formula begins with a `'`. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === "number" ? String(cell) : quoted(cell))).join(",")}\r\n`;
}

function quoted(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
