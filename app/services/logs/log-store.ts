import type { Write } from "~/db/database.server";
import { startOfHour } from "~/lib/utc-day";

/** Filter of lines; omitted fields match everything. */
export interface LogFilter {
  /** Words that must all occur in the line (`toSearchTerms`); case-insensitive for ASCII letters. */
  readonly search?: string | undefined;
  /** In upper case; "" selects the lines not of the form `date [LEVEL] message`, which no other filter matches. */
  readonly level?: string | undefined;
  /** Epoch milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number | undefined;
}

/** A line of a log. */
export interface LogLine {
  /** Epoch milliseconds; undefined when the line names no time. */
  readonly at: number | undefined;
  /** In upper case; "" when the line is not of the form. */
  readonly level: string;
  /** The whole line with date and level, made safe and short by `safeLogLine`. */
  readonly line: string;
}

export interface StoredLine extends LogLine {
  /** Sequence number: later lines have greater ones, whatever their time. */
  readonly id: number;
}

export interface LogPlace {
  readonly past?: number | undefined;
  readonly limit: number;
  readonly order?: "newest" | "oldest";
  readonly maxSearched?: number;
}

export interface LogPage {
  /** Lines in the requested order. */
  readonly lines: readonly StoredLine[];
  /** Start of the next page (`past`); undefined at the end. Set even when no line of a limited scan matched. */
  readonly next: number | undefined;
  /** Number of lines scanned; 0 where an index finds them. */
  readonly scanned: number;
}

export interface LogCount {
  readonly level: string;
  readonly lines: number;
}

/**
 * Port for a log that operators read. Lines have the form `date [LEVEL] message` (specification, section 2); others
 * have the level "" and count as ignored. Methods return no deleted lines, and throw when the log cannot be read.
 */
export interface LogSource {
  /**
   * Returns a page of matching lines, newest first or, with `order: "oldest"`, oldest first.
   * @param place.past id before the page's first line; that line is not included.
   * @param place.maxSearched maximum number of lines to scan; a suitable limit for one response when omitted.
   */
  page(filter: LogFilter, place: LogPlace): Promise<LogPage>;

  /** Returns a line with up to `each` lines before and after it, oldest first; undefined when it does not exist. */
  around(id: number, each: number): Promise<readonly StoredLine[] | undefined>;

  /** Counts the lines of each level in a time range, exact when it starts and ends on the hour. */
  counts(time: Pick<LogFilter, "from" | "until">): Promise<LogCount[]>;

  /** Counts the lines by hour, for hours that have any; lines not of the form have no hour. */
  hours(filter: Omit<LogFilter, "search">): Promise<(LogCount & { hour: number })[]>;

  /** Counts the lines too old to be returned; `deleteAll` deletes them too. */
  outOfReach(): Promise<number>;

  /**
   * Deletes every line existing at this moment, all or none; lines that arrive meanwhile are kept in this
   * application's own log.
   * @param record called with the number of lines once they are deleted, in the same transaction for this
   *   application's own log.
   */
  deleteAll(record: (trx: Write, lines: number) => Promise<void>): Promise<void>;
}

/** Port for the store of this application's own log. */
export interface LogStore extends LogSource {
  /** Appends lines in order, all or none. */
  append(lines: readonly LogLine[]): Promise<void>;

  /** Removes a batch of lines that are deleted, too old or over the size limit. @returns whether more remain. */
  sweep(keep: { since: number; now: number; bytes: number }): Promise<boolean>;
}

/** Returns the hour of a line; lines without a time count in the first hour. */
export const getHour = ({ at }: { readonly at: number | null | undefined }): number => startOfHour(at ?? 0);

/** Maximum number of terms: each is searched in every line (C37). */
const MAX_TERMS = 8;

/** Splits a search into at most eight unique words, ASCII lower case, none of them part of another. */
export function toSearchTerms(search: string): string[] {
  const words = new Set(search.split(/\s+/).filter(Boolean).map(toLowerAscii));
  const terms = [...words].slice(0, MAX_TERMS);
  return terms.filter((term) => !terms.some((other) => other !== term && other.includes(term)));
}

export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
