import { TZDate } from "@date-fns/tz";

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

/** Formats a time in a zone: "2026-11-26 09:30 (Europe/Berlin)"; in UTC "2026-11-26 09:30 UTC". */
export function formatZonedTime(at: number, timeZone: string): string {
  const time = formatZonedMinute(at, timeZone).replace("T", " ");
  return timeZone === UTC ? `${time} UTC` : `${time} (${timeZone})`;
}

/** Formats a time for a date-and-time field: "2026-11-26T09:30". */
export function formatZonedMinute(at: number, timeZone: string): string {
  return TZDate.tz(timeZone, at).toISOString().slice(0, 16);
}

/**
 * Parses a date-and-time field, such as 2026-11-26T09:30, in a zone. Undefined for anything else, and for a time
 * that the start of daylight saving time skips; one that its end repeats is resolved to one of the two.
 */
export function parseZonedMinute(text: string, timeZone: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})$/.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const at = new TZDate(year, month - 1, day, hour, minute, timeZone).getTime();
  const isReal = !Number.isNaN(at) && formatZonedMinute(at, timeZone) === text.replace(" ", "T");
  return isReal ? at : undefined;
}
