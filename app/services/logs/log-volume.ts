import { days, hours } from "~/lib/durations";
import { shortUtcDay, startOfDay, startOfHour, utcDay } from "~/lib/utc-day";
import { fromWallTime, toWallEnd, toWallTime, UTC } from "~/lib/zoned-time";
import type { LogFilter } from "./log-store";

/** Longer ranges are counted by day. */
const MAX_HOURLY_RANGE = days(3);
/** Whole days that are shown before the end of a range at most, and of one without a beginning. */
const MAX_DAYS = 60;
const DEFAULT_DAYS = 30;

/** The levels of the product's own lines, the most severe first; lines of any other level are counted together. */
export const COUNTED_LEVELS = ["ERROR", "WARN", "INFO"] as const;

type Range = Pick<LogFilter, "from" | "until">;

/**
 * Returns the chart's time range: the last 24 hours, or the filter's range. A filter for some hours is shown among the
 * hours around it: the last 24, or those of its day in the time zone. Days of UTC are shown whole.
 */
export function getVolumeRange({ from, until }: Range, now: number, timeZone: string): Span {
  const nextHour = startOfHour(now) + hours(1);
  const lastDay = { from: nextHour - hours(24), until: nextHour };
  if (from === undefined && until === undefined) return lastDay;
  const end = Math.min(until ?? nextHour, Math.max(nextHour, from ?? 0));
  const getDayBefore = (count: number) =>
    fromWallTime(startOfDay(toWallTime(end, timeZone) - days(count)), timeZone);
  const start = from ?? getDayBefore(DEFAULT_DAYS);
  if (!isOfDays({ from, until }, timeZone) && start < end && end - start < days(1)) {
    if (start >= lastDay.from) return lastDay;
    const around = listDays({ from: start, until: end }, timeZone);
    return { from: around.at(0)?.from ?? start, until: around.at(-1)?.until ?? end };
  }
  const range = { from: Math.min(Math.max(start, getDayBefore(MAX_DAYS)), end - hours(1)), until: end };
  if (!isByDayOfUtc(range, timeZone)) return range;
  return { from: startOfDay(range.from), until: startOfDay(range.until - 1) + days(1) };
}

const isByDay = ({ from, until }: Span): boolean => until - from > MAX_HOURLY_RANGE;

/** Returns whether a range is counted by the days of UTC: lines are counted by its hours, and a day begins within one. */
function isByDayOfUtc(range: Span, timeZone: string): boolean {
  return isByDay(range) && listDays(range, timeZone).some(({ from }) => from !== startOfHour(from));
}

/** Returns whether the range consists of whole days, as without times in the filter. */
function isOfDays({ from, until }: Range, timeZone: string): boolean {
  const isMidnight = (at: number) => {
    const wall = toWallTime(at, timeZone);
    return at === fromWallTime(startOfDay(wall), timeZone);
  };
  return [from, until].every((at) => at === undefined || isMidnight(at));
}

interface Span {
  /** Epoch milliseconds, inclusive. */
  readonly from: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
}

/** Lists the whole days of the zone that a range is in. */
function listDays({ from, until }: Span, timeZone: string): Span[] {
  const spans: Span[] = [];
  let wall = startOfDay(toWallTime(from, timeZone));
  let start = fromWallTime(wall, timeZone);
  while (start < until) {
    wall += days(1);
    const end = fromWallTime(wall, timeZone);
    spans.push({ from: start, until: end });
    start = end;
  }
  return spans;
}

/** Lists the whole hours that a range is in, as they are counted: in a few zones they begin at half past. */
function listHours({ from, until }: Span): Span[] {
  const spans: Span[] = [];
  for (let at = startOfHour(from); at < until; at += hours(1)) spans.push({ from: at, until: at + hours(1) });
  return spans;
}

interface VolumeColumn {
  name: string;
  /** The first hour of a day is named by the day on the axis. */
  axisName: string | undefined;
  /** The filter that selects the column: an hour, which may come twice, or a whole day. */
  filter: { from: string; fromTime: string; to: string; toTime: string };
  /** Whether the filter's times select it, or a part of it. */
  isChosen: boolean;
  all: number;
  /** In the order of COUNTED_LEVELS, then of any other level. */
  levels: number[];
}

/**
 * Counts the lines of each hour or day in a time range, including empty ones, by level. Lines are counted by hours of
 * UTC: where a day of the time zone begins within one, days are those of UTC, and `areDaysOfUtc` is true.
 * @param chosen the filter's range.
 */
export function getVolume(
  range: Span,
  counted: readonly { hour: number; level: string; lines: number }[],
  { chosen = {}, timeZone }: { chosen?: Range; timeZone: string },
) {
  const length = range.until - range.from;
  const per: "hour" | "day" = isByDay(range) ? "day" : "hour";
  const areDaysOfUtc = isByDayOfUtc(range, timeZone);
  const zone = areDaysOfUtc ? UTC : timeZone;
  const spans = per === "hour" ? listHours(range) : listDays(range, zone);
  const bySpan = Map.groupBy(counted, ({ hour }) => spans.findLast(({ from }) => from <= hour));
  const hasTimes = !isOfDays(chosen, timeZone);
  const columns = spans.map((span, index): VolumeColumn => {
    const counts = bySpan.get(span) ?? [];
    const sum = (level?: string) =>
      counts.reduce((total, row) => total + (level === undefined || row.level === level ? row.lines : 0), 0);
    const levels = COUNTED_LEVELS.map(sum);
    const all = sum();
    const others = all - levels.reduce((total, lines) => total + lines, 0);
    const wall = toWallTime(span.from, zone);
    const previous = spans[index - 1];
    const isRepeated = previous !== undefined && toWallTime(previous.from, zone) >= wall;
    return {
      name: formatName(wall, per) + (isRepeated ? " again" : ""),
      axisName: getAxisName(wall, per, length),
      filter: per === "day" && !areDaysOfUtc ? toDayFilter(wall) : toTimeFilter(span, timeZone),
      isChosen: hasTimes && span.until > (chosen.from ?? -Infinity) && span.from < (chosen.until ?? Infinity),
      all,
      levels: [...levels, others],
    };
  });
  return { per, areDaysOfUtc, columns };
}

function toDayFilter(wall: number): VolumeColumn["filter"] {
  const day = utcDay(wall);
  return { from: day, fromTime: "", to: day, toTime: "" };
}

function toTimeFilter({ from, until }: Span, timeZone: string): VolumeColumn["filter"] {
  const start = toWallTime(from, timeZone);
  const end = toWallEnd(until, timeZone);
  // The last hour ends with its day.
  const isMidnight = end === startOfDay(end);
  return {
    from: utcDay(start),
    fromTime: formatClock(start),
    to: utcDay(isMidnight ? end - 1 : end),
    toTime: isMidnight ? "" : formatClock(end),
  };
}

/** Names a time on the wall clock, uniquely within 60 days or 72 hours unless the clock is set back. */
function formatName(wall: number, per: "hour" | "day"): string {
  const day = shortUtcDay(wall);
  return per === "day" ? day : `${day} ${formatClock(wall)}`;
}

const formatClock = (wall: number): string => new Date(wall).toISOString().slice(11, 16);

/** Names every sixth or twelfth hour of the wall clock, the first one of a day by the day; of days about six. */
function getAxisName(wall: number, per: "hour" | "day", length: number): string | undefined {
  if (per === "day") {
    const step = Math.ceil(length / days(1) / 6);
    return (startOfDay(wall) / days(1)) % step === 0 ? shortUtcDay(wall) : undefined;
  }
  const step = length <= days(1) ? 6 : 12;
  const hour = startOfHour(wall);
  if ((hour / hours(1)) % step !== 0) return undefined;
  return startOfDay(wall) === hour ? shortUtcDay(wall) : formatClock(wall);
}
