import { grouped } from "./format-number";

/** A log line of the specification's form, `date [LEVEL] message`. */
interface ParsedLogLine {
  /** As written in the line. */
  readonly date: string;
  /** Epoch milliseconds; undefined for a date of another form. A date without a time zone is UTC. */
  readonly at: number | undefined;
  /** Upper case. */
  readonly level: string;
  readonly message: string;
}

/** The maximum length of a line in UTF-16 units; longer ones are truncated and marked. */
export const LONGEST_LOG_LINE = 8192;

const FORM = /^(\S.{0,63}?) \[([A-Za-z]{1,16})\](?: (.*))?$/su;
/** ISO 8601, with or without a time and a zone; also with slashes or dots, and an hour of one digit. */
const ISO =
  /^(\d{4})[-/.](\d{2})[-/.](\d{2})(?:,?[T ](\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?))?\s?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
/** Names of months and years of four digits: the order of a date without them, such as 05/11/2026, is a guess. */
const MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
const YEAR = /(?:^|[\s,]|[a-z]-)\d{4}(?!\d)/i;
/** A zone by its name, or by its offset after a time. */
const ZONE = /(?:(?<![a-z])Z|GMT|UTC|\b[ECMP][SD]T|:\d{2}[^+-]*[+-]\d{1,2}(?::?\d{2})?)\b/i;
const LAST_YEAR_ENDS = Date.UTC(10_000, 0);

/** @returns undefined for a line of another form. */
export function parseLogLine(line: string): ParsedLogLine | undefined {
  const [, date = "", level = "", message = ""] = FORM.exec(line) ?? [];
  // Text without digits before the brackets is not a date.
  if (!/\d/.test(date)) return undefined;
  return { date, at: parseTime(date), level: level.toUpperCase(), message };
}

/** Length of the longest date and level of a line. */
const MAX_HEAD_LENGTH = 84;

/** Divides a line whose level is known into its date and its message; level "": all of it is the message. */
export function splitLogLine({ level, line }: { level: string; line: string }) {
  // Only ASCII, so that positions stay the same.
  const head = line.slice(0, MAX_HEAD_LENGTH).replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const bracket = ` [${level}]`;
  const start = level === "" ? -1 : head.indexOf(bracket);
  if (start < 0) return { date: "", message: line };
  return { date: line.slice(0, start), message: line.slice(start + bracket.length + 1) };
}

function parseTime(date: string): number | undefined {
  const at = Date.parse(toParsable(date));
  // A date outside the supported range is not a date.
  return at >= 0 && at < LAST_YEAR_ENDS ? at : undefined;
}

/** Returns a date as `Date.parse`, which finds one in most texts with a number, reads it in one way only; else "". */
function toParsable(date: string): string {
  const [, year, month, day, time = "00:00", zone = "Z"] = ISO.exec(date) ?? [];
  if (day !== undefined) {
    const offset = /^[+-]/.test(zone) ? zone.padEnd(5, "0") : "Z";
    return `${year}-${month}-${day}T${time.replace(",", ".").replace(/^\d:/, "0$&")}${offset}`;
  }
  if (!MONTH.test(date) || !YEAR.test(date)) return "";
  return ZONE.test(date) ? date : `${date} UTC`;
}

/**
 * Turns a text into one log line, truncated, with nothing that could mislead a terminal or a reader.
 * @param length of the whole text, of which `text` may be the beginning.
 */
export function safeLogLine(text: string, length = text.length): string {
  const kept = visibleText(text.slice(0, LONGEST_LOG_LINE));
  return length <= LONGEST_LOG_LINE ? kept : `${kept} ... (cut, ${grouped(length)} characters)`;
}

/** Escapes control characters, bidirectional marks and lone surrogates as code does: `\x1b`, `\u202e` (C23). */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escapeCharacter);
}

/** Puts each call of a stack on its own line; the other line ends of a visible text stay escaped. */
export function breakStack(text: string): string {
  return text.replace(/\\n(?= +at )/g, "\n");
}

const CHARACTERS =
  "[\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufff9-\\ufffb]|\\p{Surrogate}";
const UNSEEN = new RegExp(CHARACTERS, "gu");
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return SHORT[character] ?? (code < 256 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`);
}
