import type { DateHints } from "./import-dates.ts";
import type { ToldEncoding } from "./import-encoding.ts";

/* What a file of people is (read-import-file.ts reads one). */

/** Limits of a file. */
export const MAX_COLUMNS = 100;
export const MAX_LINES = 500_000;

export const DELIMITERS = [",", ";", "\t"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** A column of a file. */
export interface FileColumn {
  /** Its header as the file has it; empty in a file without headers. */
  readonly name: string;
  readonly dates: DateHints;
}

export interface FileLine {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The first address among the cells, in lower case; empty without one. */
  readonly email_key: string;
}

/** Why a file cannot be imported, and, where one line is to blame, which. */
export interface FileProblem {
  readonly problem:
    "empty" | "nul" | "open-quote" | "long-line" | "too-many-columns" | "too-many-lines" | "no-lines";
  readonly line?: number;
}

/** What the thread that reads a file sends: its lines in batches, and then what is known of all. */
export type FileMessage =
  | { readonly kind: "lines"; readonly lines: readonly FileLine[] }
  | {
      readonly kind: "end";
      readonly encoding: ToldEncoding;
      readonly delimiter: Delimiter;
      readonly columns: readonly FileColumn[];
      readonly lines: number;
    }
  | ({ readonly kind: "problem" } & FileProblem);
