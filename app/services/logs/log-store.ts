import type { Write } from "~/db/database.server";

/** Which lines; what is missing does not matter. */
export interface LogFilter {
  /** Every word of it stands in the line (search-terms.ts); capital letters of ASCII count as small ones. */
  readonly search?: string | undefined;
  /** Upper case; "" are the lines that are not of the form `date [LEVEL] message`, and only then are they among the answers. */
  readonly level?: string | undefined;
  /** Epoch milliseconds: written at or after it. */
  readonly from?: number | undefined;
  /** Epoch milliseconds: written before it. */
  readonly until?: number | undefined;
}

/** A line as it is kept: safe to show, one line, never longer than LONGEST_LOG_LINE and the note that it was cut. */
export interface StoredLine {
  /** Its number: later lines have greater ones, whatever time they say. */
  readonly id: number;
  /** undefined when it is not of the form. */
  readonly at: number | undefined;
  /** "" when it is not of the form. */
  readonly level: string;
  /** All of it. */
  readonly line: string;
}

export interface LogPlace {
  readonly past?: number | undefined;
  readonly limit: number;
  readonly order?: "newest" | "oldest";
  readonly most?: number;
}

export interface LogPage {
  /** In the order asked for. */
  readonly lines: readonly StoredLine[];
  /** Where to go on (`past`); undefined at the end. There may be more even if none was found: only so much is looked through at once. */
  readonly next: number | undefined;
  /** How many lines were read to find these; 0 where an index finds them. */
  readonly lookedThrough: number;
}

export interface LogCount {
  readonly level: string;
  readonly lines: number;
}

/**
 * A log people read. Lines are strings of the form `date [LEVEL] message` (specification, section 2); others are under the
 * level "" and counted as ignored. All answers are of the lines that are not deleted. It throws when it cannot be read.
 */
export interface LogSource {
  /**
   * A page of what matches, newest first or, with `order: "oldest"`, oldest first.
   * @param place.past the page beyond this id, itself not included.
   * @param place.most lines to look through; what is good for one answer when left out.
   */
  page(filter: LogFilter, place: LogPlace): Promise<LogPage>;

  /** A line, and so many before and after it, oldest first; undefined when it is not there. */
  around(id: number, each: number): Promise<readonly StoredLine[] | undefined>;

  /** How many of each level were written in this time, exactly where it begins and ends on the hour; none is left out. */
  counts(time: Pick<LogFilter, "from" | "until">): Promise<LogCount[]>;

  /** The same by hour, for those that have any; lines that are not of the form have no hour. */
  hours(filter: Omit<LogFilter, "search">): Promise<(LogCount & { hour: number })[]>;

  /** How many lines there are that are too old to be among the answers; they are deleted with all. */
  outOfReach(): Promise<number>;

  /**
   * Deletes every line there is at this moment, all or none; lines that come meanwhile stay where they are ours.
   * @param record written once they are deleted, in the same transaction where the lines are ours, with how many they were.
   */
  deleteAll(record: (trx: Write, lines: number) => Promise<void>): Promise<void>;
}

/** Where our own log is kept. */
export interface LogStore extends LogSource {
  /** Adds lines in their order, all or none. What is in them cannot become a line of its own (safeLogLine). */
  append(lines: readonly string[]): Promise<void>;

  /**
   * Removes some of what is deleted, too old or too much.
   * @returns whether there is more to remove.
   */
  sweep(keep: { since: number; now: number; bytes: number }): Promise<boolean>;
}
