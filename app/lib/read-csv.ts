import { CsvError, parse } from "csv-parse/sync";

interface CsvRecord {
  readonly cells: readonly string[];
  /** Number of its first line, from 1. */
  readonly line: number;
}

/** The records of a file; or the line of a quote that is never closed. */
export type CsvReading =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  | { readonly ok: false; readonly line: number };

/**
 * Reads CSV (RFC 4180), also with LF or CR alone and a byte order mark. Empty records are left out; a line break in a
 * cell becomes LF.
 */
export function readCsv(text: string): CsvReading {
  const records: CsvRecord[] = [];
  let next = 1;
  try {
    // The parser counts CR LF within a cell as two lines.
    parse(text.replace(/\r\n?/g, "\n"), {
      bom: true,
      record_delimiter: "\n",
      relax_column_count: true,
      // A quote within a cell that does not begin with one, such as 5" screens, is a character. So is each quote of a
      // cell that has more after its closing one.
      relax_quotes: true,
      onRecord: (cells: string[], { lines: read }) => {
        if (cells.some((cell) => cell !== "")) records.push({ cells, line: next });
        next = read + 1;
        return undefined;
      },
    });
  } catch (error) {
    if (error instanceof CsvError) return { ok: false, line: next };
    throw error;
  }
  return { ok: true, records };
}
