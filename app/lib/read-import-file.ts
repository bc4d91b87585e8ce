// With their extensions, because a worker thread runs this file by itself (server/workers).
import { CsvError, parse } from "csv-parse";
import { parse as parseSync } from "csv-parse/sync";
import { Readable } from "node:stream";
import { unescapeFormula } from "./csv.ts";
import { emailKey, isPlainAddress } from "./email-address.ts";
import { hintAtOrder } from "./import-dates.ts";
import { decodeFile, tellEncoding } from "./import-encoding.ts";
import {
  DELIMITERS,
  MAX_COLUMNS,
  MAX_LINES,
  type Delimiter,
  type FileColumn,
  type FileLine,
  type FileMessage,
} from "./import-file.ts";

const MAX_LINE_BYTES = 65_536;
const BATCH = 1000;
/** Characters by which the delimiter is found. */
const LOOKED_AT = 20_000;

/**
 * Reads a CSV file (RFC 4180), also with LF or CR alone, a byte order mark, or Excel's `sep=;`. Records without any text
 * are left out. The first record has the headers, unless there is an address in it.
 * @param delimiter left out: found by the first lines.
 */
export async function* readImportFile(bytes: Uint8Array, delimiter?: Delimiter): AsyncGenerator<FileMessage> {
  const encoding = tellEncoding(bytes);
  // The parser counts CR LF within a cell as two lines.
  const text = decodeFile(bytes, encoding).replace(/\r\n?/g, "\n");
  const nul = text.indexOf("\0");
  if (nul >= 0) return yield { kind: "problem", problem: "nul", line: countLines(text, nul) };
  const [, stated] = /^sep=([,;\t])\n/i.exec(text) ?? [];
  const rest = stated === undefined ? text : text.slice(text.indexOf("\n") + 1);
  const skipped = stated === undefined ? 0 : 1;
  const used = delimiter ?? DELIMITERS.find((one) => one === stated) ?? findDelimiter(rest);

  let columns: FileColumn[] | undefined;
  let lines: FileLine[] = [];
  let count = 0;
  let next = 1 + skipped;
  /** First lines of records that are parsed and not read yet. */
  const starts: number[] = [];
  const parser = parse({
    ...OPTIONS,
    delimiter: used,
    on_record: (record: string[], { lines: read }) => {
      starts.push(next);
      next = read + 1 + skipped;
      return record;
    },
  });
  const records = Readable.from(split(Buffer.from(rest))).pipe(parser);
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      const line = starts.shift() ?? next;
      if (record.every((cell) => cell.trim() === "")) continue;
      if (record.length > MAX_COLUMNS) return yield { kind: "problem", problem: "too-many-columns", line };
      if (!columns) {
        const hasHeaders = !record.some(isAddress);
        columns = record.map((cell) => ({
          name: hasHeaders ? cell.trim().slice(0, 200) : "",
          dates: { dmy: 0, mdy: 0, both: 0 },
        }));
        if (hasHeaders) continue;
      }
      for (const [index, { dates }] of columns.entries()) hintAtOrder(dates, record[index] ?? "");
      count += 1;
      if (count > MAX_LINES) return yield { kind: "problem", problem: "too-many-lines" };
      lines.push({ line, cells: record, email_key: findAddress(record) });
      if (lines.length < BATCH) continue;
      yield { kind: "lines", lines };
      lines = [];
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const problem = error.code === "CSV_MAX_RECORD_SIZE" ? "long-line" : "open-quote";
    return yield { kind: "problem", problem, line: next };
  } finally {
    records.destroy();
  }
  if (!columns) return yield { kind: "problem", problem: "empty" };
  if (count === 0) return yield { kind: "problem", problem: "no-lines" };
  if (lines.length > 0) yield { kind: "lines", lines };
  yield { kind: "end", encoding, delimiter: used, columns, lines: count };
}

const OPTIONS = {
  bom: true,
  record_delimiter: "\n",
  relax_column_count: true,
  // A quote within a cell that does not begin with one, such as 5" screens, is a character.
  relax_quotes: true,
  max_record_size: MAX_LINE_BYTES,
};

/** Bytes that the parser gets at a time, so that batches are sent while it reads. */
const PIECE = 65_536;

function* split(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function findAddress(record: readonly string[]): string {
  const cell = record.find(isAddress);
  return cell === undefined ? "" : toKey(cell);
}

const isAddress = (cell: string) => cell.length < 300 && isPlainAddress(toKey(cell));
/** The address as its line is read later (import-line.ts). */
const toKey = (cell: string) => emailKey(unescapeFormula(cell.trim()));

/** The delimiter that divides most of the first lines into the most columns; a comma where none does. */
function findDelimiter(text: string): Delimiter {
  const start = text.slice(0, LOOKED_AT);
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, columns: countColumns(start, delimiter) }));
  return scored.reduce((best, one) => (one.columns > best.columns ? one : best)).delimiter;
}

function countColumns(text: string, delimiter: Delimiter): number {
  try {
    const records: string[][] = parseSync(text, { ...OPTIONS, delimiter, to: 10 });
    const counts = records.map((record) => record.length).toSorted((a, b) => a - b);
    return counts[Math.floor((counts.length - 1) / 2)] ?? 0;
  } catch {
    // A quote is still open where the start is cut, or a line is too long.
    const [line = ""] = text.split("\n", 1);
    return line.split(delimiter).length;
  }
}

function countLines(text: string, end: number): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
