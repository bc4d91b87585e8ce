/** A text is quoted and escaped against formulas; a number is not, so that a column can be summed. */
export type CsvCell = string | number;

/** The first characters of a formula, or those dropped before one (OWASP, CSV injection; ASVS 1.2.10; C21). */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n\0]/;

/** Formats one record (RFC 4180) with its line end; a potential formula gets a leading `'`. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === "number" ? String(cell) : quote(cell))).join(",")}\r\n`;
}

/** Returns the text of a cell without the `'` that it has in our own files before a potential formula. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

function quote(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
