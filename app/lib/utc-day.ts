import { days, hours } from "./durations.ts";

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

/** Parses a UTC day like 2026-11-21 to its first millisecond; undefined when there is no such day. */
export function startOfUtcDay(day: string): number | undefined {
  if (!ISO_DAY.test(day)) return undefined;
  const at = Date.parse(`${day}T00:00:00Z`);
  // Some engines accept 31 February as 3 March.
  return Number.isNaN(at) || utcDay(at) !== day ? undefined : at;
}

/** Returns the first millisecond of the time's hour. */
export const startOfHour = (at: number): number => at - (at % hours(1));

/** Returns the first millisecond of the time's UTC day. */
export const startOfDay = (at: number): number => at - (at % days(1));

/** Returns the first millisecond of the next UTC day. */
export const startOfNextDay = (startOfDay: number): number => startOfDay + days(1);

/** Formats the UTC day of a time: "2026-11-21". */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Formats "Saturday, 21 November 2026". Not by Intl: server and browser may have different editions of it. */
export function formatUtcDay(at: number): string {
  const date = new Date(at);
  return `${WEEKDAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats a UTC day without its year: "21 Nov". */
export function shortUtcDay(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]?.slice(0, 3)}`;
}

/** Formats a UTC month: "November 2026". */
export function utcMonth(at: number): string {
  const date = new Date(at);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
