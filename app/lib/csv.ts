/**
 * A text is quoted and escaped against formulas; a number is written as it is, so that a column of figures can be
 * summed.
 */
export type CsvCell = string | number;

/**
 * The first characters by which a spreadsheet treats a text as a formula, or which it drops and then does so
 * (OWASP, CSV injection; ASVS 1.2.10; hardening C21): = + - @, their fullwidth forms, TAB, line ends and NUL.
 */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n\0]/;

/**
 * Formats one record (RFC 4180) with its line end. Every text is quoted; a potential formula gets a leading `'`.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === "number" ? String(cell) : quoted(cell))).join(",")}\r\n`;
}

function quoted(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
