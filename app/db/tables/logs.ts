import type { EpochMs } from "./columns";

/** The server's own log, a line a row. Only rows from `log_state.first_id` on are there; older ones wait to be swept. */
export interface LogLinesTable {
  /** From `log_state`: without gaps, in the order of the commits. */
  id: number;
  /** What the line says; null when it is not of the form. */
  at: EpochMs | null;
  /** Upper case; empty when the line is not of the form. */
  level: string;
  line: string;
}

/** How many lines there are of each level and written hour, kept in the transactions that add and remove them. */
export interface LogHoursTable {
  /** Its first millisecond; 0 for lines that are not of the form. */
  hour: EpochMs;
  level: string;
  lines: number;
  bytes: number;
  /** Between these ids all of them stand. */
  least_id: number;
  greatest_id: number;
}

/** One row. Whoever adds or removes lines locks it first. */
export interface LogStateTable {
  id: 1;
  /** Of the next line. */
  next_id: number;
  /** Lines before it are deleted. */
  first_id: number;
  /** Lines before it are also gone from the table. */
  swept_id: number;
}
