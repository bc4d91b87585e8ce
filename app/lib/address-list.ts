// With their extensions, because a worker thread runs this file by itself (server/workers).
import { unescapeFormula } from "./csv.ts";
import { emailKey, isPlainAddress, toAsciiAddress } from "./email-address.ts";

export interface AddressList {
  /** In order, each as toAsciiAddress gives it; duplicates are kept. */
  readonly addresses: readonly string[];
  /** Those of them whose column `OPTED_OUT` says "yes". */
  readonly optOuts: ReadonlySet<string>;
  readonly wrong: number;
  /** The first 200 of the lines without an address, or with several. */
  readonly firstWrong: readonly WrongLine[];
}

interface WrongLine {
  readonly textIndex: number;
  /** The line's number in its text, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The column of our own export that says whether the address's owner opted out: "yes" or "no". */
export const OPTED_OUT = "Opted out";

/** Limits the reported lines: two megabytes can be a million lines without an address, which are only counted. */
const MAX_WRONG = 200;

/** A longer column cannot be an address; a whole file may be one line. */
const MAX_COLUMN_LENGTH = 1000;
const HEADER = /^[^@]{0,20}(?:mail|address|adresse)[^@]{0,20}$/i;
const SEPARATOR = /[,;\t]/;
const CELL = /[^\S\t]*(?:"((?:[^"]|"")*)"[^\S\t]*|([^,;\t]*))(?:[,;\t]|$)/gy;

/**
 * Reads addresses, one a line or a CSV's first column without its header; removes the `'` of our own files (csv.ts), and
 * finds the opt-outs that they have.
 * A line with another address is wrong, because that one would be lost, unless a header names the columns.
 */
export function readAddresses(texts: readonly string[]): AddressList {
  const addresses: string[] = [];
  const optOuts = new Set<string>();
  const firstWrong: WrongLine[] = [];
  let wrong = 0;
  for (const [textIndex, text] of texts.entries()) {
    let isFirst = true;
    let hasNamedColumns = false;
    let optedOutAt = -1;
    for (const [index, line] of splitLines(text).entries()) {
      if (line.trim() === "") continue;
      const address = readColumn(line);
      if (isFirst && HEADER.test(address)) {
        hasNamedColumns = SEPARATOR.test(line);
        optedOutAt = [...readCells(line.slice(0, MAX_COLUMN_LENGTH))].indexOf(OPTED_OUT);
      } else if (isPlainAddress(address) && (hasNamedColumns || !hasOtherAddress(line, address))) {
        addresses.push(address);
        if (optedOutAt > 0 && getCell(line, optedOutAt) === "yes") optOuts.add(address);
      } else {
        wrong += 1;
        if (wrong <= MAX_WRONG) firstWrong.push({ textIndex, line: index + 1, text: line });
      }
      isFirst = false;
    }
  }
  return { addresses, optOuts, wrong, firstWrong };
}

function splitLines(text: string): string[] {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
}

/** Returns whether a column after the first is another address, or ends with one as in `Ada <ada@example.com>`. */
function hasOtherAddress(line: string, address: string): boolean {
  return line
    .split(SEPARATOR)
    .slice(1)
    .map((column) => readColumn(/<([^<>]*)>\s*$/.exec(column)?.[1] ?? column))
    .some((other) => isPlainAddress(other) && emailKey(other) !== emailKey(address));
}

/** Returns the text of the first column, in the form of an address if it is one. */
function readColumn(line: string): string {
  return toAsciiAddress(getCell(line.slice(0, MAX_COLUMN_LENGTH), 0));
}

/** Returns the text of a column, counted from 0; empty where the line has fewer. */
function getCell(line: string, index: number): string {
  let at = 0;
  for (const cell of readCells(line)) if (at++ === index) return cell;
  return "";
}

function* readCells(line: string): Generator<string> {
  for (const [, quoted, plain = ""] of line.matchAll(CELL)) {
    yield unescapeFormula((quoted?.replaceAll('""', '"') ?? plain).trim());
  }
}
