import { days } from "./durations";

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The first millisecond of a UTC day written like 2026-11-21, or undefined when there is no such day. */
export function startOfUtcDay(day: string): number | undefined {
  if (!ISO_DAY.test(day)) return undefined;
  const at = Date.parse(`${day}T00:00:00Z`);
  // Some engines take 31 February for 3 March.
  return Number.isNaN(at) || utcDay(at) !== day ? undefined : at;
}

/** The first millisecond of the UTC day of a moment. */
export const startOfDay = (at: number): number => at - (at % days(1));

/** The first millisecond of the UTC day after it. */
export const startOfNextDay = (startOfDay: number): number => startOfDay + days(1);

/** "2026-11-21": the UTC day of a moment. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** "Saturday, 21 November 2026". Written by hand, because server and browser may know different editions of Intl. */
export function utcDayInWords(at: number): string {
  const date = new Date(at);
  return `${WEEKDAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "21 Nov": a day among days of one year. */
export function shortUtcDay(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]?.slice(0, 3)}`;
}

/** "November 2026". */
export function utcMonth(at: number): string {
  const date = new Date(at);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
