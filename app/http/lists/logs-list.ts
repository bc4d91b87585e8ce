import { logsMessages as copy } from "~/content/logs";
import { dayFields, linkTo, listState, shortText, toSearch, type ValuesOf } from "../list-state";
import { days, hours, minutes } from "~/lib/durations";
import { zonedClock } from "~/lib/format-time";
import { startOfDay, utcDay } from "~/lib/utc-day";
import { zonedDay } from "~/lib/zoned-day";
import { fromWallTime, toWallEnd, toWallTime, UTC } from "~/lib/zoned-time";
import { paths } from "~/paths";
import type { LogFilter } from "~/services/logs/log-store";

/** A time on the wall clock of the reader's zone, "14:05", in milliseconds since midnight. */
const timeField = {
  error: copy.notATime,
  parse: (text: string) => {
    const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
    return hour === undefined ? undefined : hours(Number(hour)) + minutes(Number(minute));
  },
};

export const logsList = listState(
  {
    /** "time" lists the lines by time; anything else groups them by level, as the specification wants. */
    view: {
      error: "",
      clean: (typed: string): string => (typed === "time" ? typed : ""),
      parse: (text: string) => text,
    },
    q: shortText(100, copy.searchTooLong),
    level: {
      error: copy.notALevel,
      clean: (typed: string) => typed.toUpperCase(),
      parse: (text: string) => (/^[A-Z]{1,16}$/.test(text) ? text : undefined),
    },
    from: dayFields.from,
    fromTime: timeField,
    to: dayFields.to,
    /** The filter ends before this time; without it, with the last day. */
    toTime: timeField,
  },
  ({ q, level, ...times }, timeZone): LogFilter => ({ search: q, level, ...toRange(times, timeZone) }),
  checkTimes,
);

interface Times {
  readonly from: number | undefined;
  readonly fromTime: number | undefined;
  readonly to: number | undefined;
  readonly toTime: number | undefined;
}

function toRange({ from, fromTime, to, toTime }: Times, timeZone: string): Pick<LogFilter, "from" | "until"> {
  const getMidnight = (at: number) => startOfDay(toWallTime(at, timeZone));
  return {
    from:
      from === undefined || fromTime === undefined
        ? from
        : fromWallTime(getMidnight(from) + fromTime, timeZone),
    // A last day ends at the beginning of the next one.
    until:
      to === undefined || toTime === undefined
        ? to
        : fromWallTime(getMidnight(to) - days(1) + toTime, timeZone),
  };
}

function checkTimes(times: Times, timeZone: string) {
  const { from, until } = toRange(times, timeZone);
  const errors: { fromTime?: string; toTime?: string } = {};
  if (times.fromTime !== undefined && times.from === undefined) errors.fromTime = copy.timeWithoutDay;
  if (times.toTime !== undefined && times.to === undefined) errors.toTime = copy.timeWithoutDay;
  // Days in the wrong order are an error of their own.
  const hasDays = times.from !== undefined && times.to !== undefined && times.from < times.to;
  if (hasDays && from !== undefined && until !== undefined && until <= from) errors.toTime = copy.timeBefore;
  return errors;
}

/** Where a page is in the log: before or after the line with that id; the newest page has no place. */
export interface LinePlace {
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

interface Place extends LinePlace {
  /** The id of the line whose message is shown in full. */
  readonly whole?: number | undefined;
  readonly step?: "delete" | undefined;
  /** Loads new lines continuously. */
  readonly live?: "on" | undefined;
}

type LogsValues = ValuesOf<typeof logsList>;

/** Returns the page's URL with all state that a reload should keep. */
export function getLogsUrl(values: Partial<LogsValues>, place: Place = {}): string {
  return linkTo(paths.logs, { ...values, ...place });
}

/**
 * Returns the URL of the lines of a time range, listed by time. @param from epoch milliseconds, as is `until`: whole
 * minutes around both are shown. @param timeZone of the reader, in which the filter is.
 */
export function getLogsOfTime(
  { from, until }: { from: number; until?: number | undefined },
  timeZone: string,
): string {
  const end = until === undefined ? undefined : toWallEnd(until + minutes(1), timeZone);
  return getLogsUrl({
    view: "time",
    from: zonedDay(from, timeZone),
    fromTime: zonedClock(from, timeZone),
    // The fields of a time on the wall clock, read in UTC, are those of the zone.
    to: end === undefined ? "" : utcDay(end),
    toTime: end === undefined ? "" : zonedClock(end, UTC),
  });
}

/** Formats the filter alone, whichever view it is in; "" when it matches every line. */
export function toFilterSearch(values: LogsValues): string {
  return toSearch({ ...values, view: "" });
}
