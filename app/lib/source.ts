import { cleanText } from "./clean-text.ts";
import { DIRECT_SOURCE } from "./first-touch.ts";

/* What a source is: getSource (first-touch.ts) finds it, cleanSource cleans what anybody may have written. */

/** Nobody said where somebody came from, as without JavaScript. */
export const UNKNOWN_SOURCE = "unknown";
/** The submission came by the API, whose caller did not say more. */
export const API_SOURCE = "api";
/** The person was imported, by a file that says no source. */
export const IMPORT_SOURCE = "import";
/** Stands for every source of a day beyond the first `SOURCES_A_DAY`. */
export const OTHER_SOURCE = "other";

/** Different sources that a UTC day is counted by, besides the fixed ones. */
export const SOURCES_A_DAY = 200;

/** The longest source, in code points. */
const SOURCE_MAX_LENGTH = 100;

/** Code units that are read of what may be of any length. */
const MAX_READ = 1000;

const FIXED_SOURCES: readonly string[] = [
  DIRECT_SOURCE,
  UNKNOWN_SOURCE,
  API_SOURCE,
  IMPORT_SOURCE,
  OTHER_SOURCE,
];

/** Returns whether it is one of ours, which every day may have. */
export const isFixedSource = (source: string): boolean => FIXED_SOURCES.includes(source);

/**
 * Cleans a source for storage: NFC, in lower case, on one line, without control and format characters, cut to 100 code
 * points. @returns "" when nothing is left.
 */
export function cleanSource(text: string): string {
  const clean = (cleanText(text.slice(0, MAX_READ)) ?? "").toLowerCase().replace(/[\p{C}\s]+/gu, " ");
  return Array.from(clean.trim()).slice(0, SOURCE_MAX_LENGTH).join("").trim();
}

/** Returns the source, or `OTHER_SOURCE` for one too many. @param known those of the day so far, with the fixed ones. */
export function limitSource(source: string, known: Pick<ReadonlySet<string>, "has" | "size">): string {
  if (isFixedSource(source) || known.has(source)) return source;
  const fixed = FIXED_SOURCES.filter((one) => known.has(one)).length;
  return known.size - fixed < SOURCES_A_DAY ? source : OTHER_SOURCE;
}
