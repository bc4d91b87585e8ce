// With its extension, because a worker thread runs this file by itself (server/workers).
import { isPlainAddress, toAsciiAddress } from "./email-address.ts";

export interface AddressList {
  /** In order, each as toAsciiAddress gives it; duplicates are kept. */
  readonly addresses: readonly string[];
  readonly wrong: number;
  /** The first 200 of the lines without an address. */
  readonly firstWrong: readonly WrongLine[];
}

interface WrongLine {
  /** The line's number in its text, from 1. */
  readonly line: number;
  /** The line's text, truncated to 300 characters. */
  readonly text: string;
}

/** Limits the reported lines: two megabytes can be a million lines without an address, which are only counted. */
const MAX_WRONG = 200;
const MAX_WRONG_LENGTH = 300;

/** A longer column cannot be an address; a whole file may be one line. */
const MAX_COLUMN_LENGTH = 1000;
const HEADER = /^[^@]{0,20}(?:mail|address|adresse)[^@]{0,20}$/i;

/** Reads addresses, one a line or a CSV's first column without its header; removes the `'` of our own files (csv.ts). */
export function readAddresses(texts: readonly string[]): AddressList {
  const addresses: string[] = [];
  const firstWrong: WrongLine[] = [];
  let wrong = 0;
  for (const text of texts) {
    let isFirst = true;
    for (const [index, line] of splitLines(text).entries()) {
      if (line.trim() === "") continue;
      const address = toAsciiAddress(getFirstColumn(line.slice(0, MAX_COLUMN_LENGTH)));
      if (isPlainAddress(address)) {
        addresses.push(address);
      } else if (!isFirst || !HEADER.test(address)) {
        wrong += 1;
        if (wrong <= MAX_WRONG) firstWrong.push({ line: index + 1, text: line.slice(0, MAX_WRONG_LENGTH) });
      }
      isFirst = false;
    }
  }
  return { addresses, wrong, firstWrong };
}

function splitLines(text: string): string[] {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
}

function getFirstColumn(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"\s*(?:[,;\t]|$)/.exec(line)?.[1]?.replaceAll('""', '"');
  const cell = (quoted ?? line.split(/[,;\t]/, 1)[0] ?? "").trim();
  return /^'[=+-]/.test(cell) ? cell.slice(1) : cell;
}
