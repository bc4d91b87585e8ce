/** Which comes first in 03/04/2026: the day or the month. */
export type DateOrder = "dmy" | "mdy";

/** How many of a column's cells can be read as one order only, and how many as both. */
export interface DateHints {
  dmy: number;
  mdy: number;
  both: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = String.raw`(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*([ap]\.?m\.?)?)?`;
const ZONE = String.raw`\s*(z|utc|gmt|[+-]\d{2}:?\d{2}|[+-]\d{2})?`;
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}${ZONE}$`, "i");
const YEAR_LAST = new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4})${TIME}${ZONE}$`, "i");
const DAY_MONTH_NAME = new RegExp(`^(\\d{1,2})[ .-]+([a-z]{3,9})\\.?[ ,-]+(\\d{4})${TIME}${ZONE}$`, "i");
const MONTH_NAME_DAY = new RegExp(`^([a-z]{3,9})\\.? (\\d{1,2}),? (\\d{4})${TIME}${ZONE}$`, "i");
const EPOCH = /^\d{10}(?:\d{3})?$/;
/** The longest date; a cell may be of any length. */
const MAX_LENGTH = 50;

/** Counts a cell among the hints of its column: nothing but dates such as 03/04/2026 counts. */
export function hintAtOrder(hints: DateHints, text: string): void {
  const [, first, second] = (text.length <= MAX_LENGTH && YEAR_LAST.exec(text.trim())) || [];
  if (first === undefined || second === undefined) return;
  const [isDay, isDayToo] = [Number(first) > 12, Number(second) > 12];
  if (isDay !== isDayToo) hints[isDay ? "dmy" : "mdy"] += 1;
  // 04/04/2026 is the same day either way.
  else if (!isDay && Number(first) !== Number(second)) hints.both += 1;
}

/** Returns the order that a column's dates tell; undefined where they need none, or do not tell. */
export function tellOrder({ dmy, mdy }: DateHints): DateOrder | undefined {
  if (dmy > 0 && mdy === 0) return "dmy";
  return mdy > 0 && dmy === 0 ? "mdy" : undefined;
}

/** Returns whether a column's dates can only be read by an order that somebody chooses. */
export function needsOrder(hints: DateHints): boolean {
  return hints.dmy + hints.mdy + hints.both > 0;
}

/**
 * Parses a time as other products export it: ISO 8601, 4.3.2026 and 03/04/2026 by `order`, with the month's English name,
 * or seconds or milliseconds since 1970. Without a zone it is in UTC.
 * @returns epoch milliseconds; undefined for anything else.
 */
export function parseDate(typed: string, order: DateOrder | ""): number | undefined {
  const text = typed.trim();
  if (text.length > MAX_LENGTH) return undefined;
  if (EPOCH.test(text)) return Number(text) * (text.length === 10 ? 1000 : 1);
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) {
    const [, year, month, day, ...time] = yearFirst;
    return toTime([year, month, day], time);
  }
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast) {
    const [, first, second, year, ...time] = yearLast;
    if (order === "" && Number(first) !== Number(second)) return undefined;
    return toTime(order === "mdy" ? [year, first, second] : [year, second, first], time);
  }
  const dayFirst = DAY_MONTH_NAME.exec(text);
  if (dayFirst) {
    const [, day, month, year, ...time] = dayFirst;
    return toTime([year, toMonth(month), day], time);
  }
  const [, month, day, year, ...time] = MONTH_NAME_DAY.exec(text) ?? [];
  return toTime([year, toMonth(month), day], time);
}

const toMonth = (name = "") => `${MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1}`;

type Part = string | undefined;

/** @returns undefined for a day or a time that does not exist. */
function toTime([year, month, day]: readonly Part[], time: readonly Part[]): number | undefined {
  const [hour = "0", minute = "0", second = "0", half, zone = ""] = time;
  let hours = Number(hour);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return undefined;
    hours = (hours % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
  }
  const [y, m, d] = [Number(year), Number(month) - 1, Number(day)];
  const [min, s] = [Number(minute), Number(second)];
  const at = Date.UTC(y, m, d, hours, min, s);
  if (Number.isNaN(at) || hours > 23 || min > 59 || s > 59) return undefined;
  const date = new Date(at);
  if (date.getUTCMonth() !== m || date.getUTCDate() !== d) return undefined;
  const [, sign, zoneHours = "0", zoneMinutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  return at + (sign === "-" ? offset : -offset);
}
