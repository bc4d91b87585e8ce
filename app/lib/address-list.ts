import { isPlainAddress } from "./email-address";

export interface AddressList {
  /** As typed, in their order; one that came twice stands twice. */
  readonly addresses: readonly string[];
  /** Lines that hold none, as they came, counted from 1. */
  readonly wrong: readonly { readonly line: number; readonly text: string }[];
}

/** Nothing longer can hold an address: a whole file may come as one line. */
const LONGEST_COLUMN = 1000;
const HEADER = /^[^@]{0,20}(?:mail|address|adresse)[^@]{0,20}$/i;

/**
 * Reads addresses from a text: one a line, or the first column of a CSV (comma, semicolon or tab). Empty lines and a header
 * are passed over; a header is a first line whose first column names the address ("Email", "Address"). The `'` that our own CSV files put before what would be a
 * formula (csv.ts) is taken off again.
 */
export function readAddresses(text: string): AddressList {
  const addresses: string[] = [];
  const wrong: { line: number; text: string }[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  let isFirst = true;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const address = firstColumn(line.slice(0, LONGEST_COLUMN));
    if (isPlainAddress(address)) addresses.push(address);
    else if (!isFirst || !HEADER.test(address)) wrong.push({ line: index + 1, text: line });
    isFirst = false;
  }
  return { addresses, wrong };
}

function firstColumn(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"\s*(?:[,;\t]|$)/.exec(line)?.[1]?.replaceAll('""', '"');
  const cell = (quoted ?? line.split(/[,;\t]/, 1)[0] ?? "").trim();
  return /^'[=+-]/.test(cell) ? cell.slice(1) : cell;
}
