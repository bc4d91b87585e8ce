/** Visits of the landing page that came from a source on a UTC day. */
export interface VisitCount {
  /** First millisecond of the day. */
  readonly day: number;
  readonly source: string;
  readonly count: number;
}

/** The guard's counts of visits, in memory, until the application stores them. */
export interface VisitCounts {
  /** Returns what was counted since the last time, and forgets it. */
  take(): VisitCount[];
  /** Takes back what could not be stored. */
  putBack(counts: readonly VisitCount[]): void;
}
