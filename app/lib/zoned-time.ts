import { tzOffset } from "@date-fns/tz";
import { hours, minutes, seconds } from "./durations";

export const UTC = "UTC";

/** Lists the names of all time zones to choose from, like "Europe/Berlin"; UTC comes first. */
export function getTimeZones(): string[] {
  return [UTC, ...Intl.supportedValuesOf("timeZone").filter((name) => name !== UTC)];
}

/** Returns whether the time zone exists; browsers have other names for some of them than the server lists. */
export function isTimeZone(name: string): boolean {
  // Offsets like "+02:00" ignore daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a stored zone, or UTC without one and where this machine or browser does not know it: a database may come from a
 * machine that knows other zones.
 */
export const toKnownZone = (stored: string | null): string =>
  stored !== null && isTimeZone(stored) ? stored : UTC;

/**
 * Converts a time to the zone's wall clock: its fields read in UTC (`utcDay`, `toISOString`) are those of the zone. Both
 * are epoch milliseconds.
 */
export function toWallTime(at: number, timeZone: string): number {
  return timeZone === UTC ? at : at + getOffset(at, timeZone);
}

/** Returns by how many milliseconds the zone's wall clock is ahead of UTC. */
const getOffset = (at: number, timeZone: string): number =>
  Math.round(minutes(tzOffset(timeZone, new Date(at))));

/** No zone was ever this far from UTC. */
const MAX_OFFSET_MS = hours(16);

/**
 * Returns the first moment, to the second, at which the zone's wall clock shows `wall` or later. For a time that daylight
 * saving time skips that is the moment of the change; of one that it repeats, the first.
 */
export function fromWallTime(wall: number, timeZone: string): number {
  if (timeZone === UTC) return wall;
  let before = wall - MAX_OFFSET_MS;
  let reached = wall + MAX_OFFSET_MS;
  // Unless a change of the clocks comes between. Of a repeated time it is the first moment, which the search could miss.
  const first = wall - getOffset(before, timeZone);
  if (toWallTime(first, timeZone) === wall) return first;
  while (reached - before > seconds(1)) {
    const middle = before + seconds(Math.floor((reached - before) / seconds(2)));
    if (toWallTime(middle, timeZone) >= wall) reached = middle;
    else before = middle;
  }
  return reached;
}

/**
 * Converts the end of a range to the zone's wall clock, so that `fromWallTime` returns this end or a later one: a time that
 * is shown for the second time, after the clocks were set back, becomes the same minute of the next hour.
 */
export function toWallEnd(until: number, timeZone: string): number {
  const wall = toWallTime(until, timeZone);
  return fromWallTime(wall, timeZone) < until ? wall + hours(1) : wall;
}

/** Formats a time for a date-and-time field: "2026-11-26T09:30". */
export function formatZonedMinute(at: number, timeZone: string): string {
  return new Date(toWallTime(at, timeZone)).toISOString().slice(0, 16);
}

/**
 * Parses a date-and-time field, such as 2026-11-26T09:30, in a zone. Undefined for anything else, for no zone, and for a time
 * that the start of daylight saving time skips; one that its end repeats is the first of the two.
 */
export function parseZonedMinute(text: string, timeZone: string): number | undefined {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}[T ]\d{2}:\d{2}$/.test(text) || !isTimeZone(timeZone)) return undefined;
  const typed = text.replace(" ", "T");
  const wall = Date.parse(`${typed}Z`);
  if (Number.isNaN(wall)) return undefined;
  const at = fromWallTime(wall, timeZone);
  return formatZonedMinute(at, timeZone) === typed ? at : undefined;
}

/**
 * Returns what a date-and-time field and its zone are filled with, so that `parseZonedMinute` returns the same time: in UTC where
 * the zone shows it for the second time, after its clocks were set back.
 */
export function toZonedMinute(at: number, timeZone: string): { text: string; timeZone: string } {
  const text = formatZonedMinute(at, timeZone);
  const isFirst = parseZonedMinute(text, timeZone) === at;
  return isFirst ? { text, timeZone } : { text: formatZonedMinute(at, UTC), timeZone: UTC };
}
