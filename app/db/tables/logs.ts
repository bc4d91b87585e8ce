import type { EpochMs } from "./columns";

/**
 * The server's own log, one line per row. Only rows from `log_state.first_id` on are valid; older ones wait to be
 * swept.
 */
export interface LogLinesTable {
  /** From `log_state`: without gaps, in the order of the commits. */
  id: number;
  /** Time in the line; null when the line does not have the expected format. */
  at: EpochMs | null;
  /** Upper case; empty when the line does not have the expected format. */
  level: string;
  line: string;
}

/** Number of lines per level and hour, updated in the transactions that add and remove lines. */
export interface LogHoursTable {
  /** First millisecond of the hour; 0 for lines that do not have the expected format. */
  hour: EpochMs;
  level: string;
  lines: number;
  bytes: number;
  /** All lines of the hour lie between these ids. */
  least_id: number;
  greatest_id: number;
}

/** One row. Transactions that add or remove lines lock it first. */
export interface LogStateTable {
  id: 1;
  /** Id of the next line. */
  next_id: number;
  /** Lines with a smaller id are deleted. */
  first_id: number;
  /** Lines with a smaller id are also removed from the table. */
  swept_id: number;
}
