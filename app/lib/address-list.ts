// With its ending, because a worker thread runs this file by itself (server/workers).
import { isPlainAddress } from "./email-address.ts";

export interface AddressList {
  /** As typed, in their order; one that came twice stands twice. */
  readonly addresses: readonly string[];
  /** How many lines hold none. */
  readonly wrong: number;
  /** The first 200 of them. */
  readonly firstWrong: readonly WrongLine[];
}

interface WrongLine {
  /** Counted from 1 in its text. */
  readonly line: number;
  /** As it came, cut after 300 characters. */
  readonly text: string;
}

/** A list of two megabytes can be a million lines that are no address: they are counted, not kept. */
const MOST_WRONG = 200;
const LONGEST_WRONG = 300;

/** Nothing longer can hold an address: a whole file may come as one line. */
const LONGEST_COLUMN = 1000;
const HEADER = /^[^@]{0,20}(?:mail|address|adresse)[^@]{0,20}$/i;

/**
 * Reads addresses from texts: one a line, or the first column of a CSV (comma, semicolon or tab). Empty lines and headers are
 * passed over; a header is the first line of a text whose first column names the address ("Email", "Address"). The `'` that our
 * own CSV files put before what would be a formula (csv.ts) is taken off again.
 */
export function readAddresses(texts: readonly string[]): AddressList {
  const addresses: string[] = [];
  const firstWrong: WrongLine[] = [];
  let wrong = 0;
  for (const text of texts) {
    let isFirst = true;
    for (const [index, line] of linesOf(text).entries()) {
      if (line.trim() === "") continue;
      const address = firstColumn(line.slice(0, LONGEST_COLUMN));
      if (isPlainAddress(address)) {
        addresses.push(address);
      } else if (!isFirst || !HEADER.test(address)) {
        wrong += 1;
        if (wrong <= MOST_WRONG) firstWrong.push({ line: index + 1, text: line.slice(0, LONGEST_WRONG) });
      }
      isFirst = false;
    }
  }
  return { addresses, wrong, firstWrong };
}

function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
}

function firstColumn(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"\s*(?:[,;\t]|$)/.exec(line)?.[1]?.replaceAll('""', '"');
  const cell = (quoted ?? line.split(/[,;\t]/, 1)[0] ?? "").trim();
  return /^'[=+-]/.test(cell) ? cell.slice(1) : cell;
}
