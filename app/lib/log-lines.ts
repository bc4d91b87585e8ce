/** Log lines of the server that wait to be stored: the guard fills them (server/observability), app/services/logs takes them. */
export interface LogLines {
  readonly isEmpty: boolean;
  /** Removes and returns the oldest lines, in order, without their line ends. */
  take(most: number): string[];
  /** Returns the number of lines dropped since the last call. */
  takeDropped(): number;
}
