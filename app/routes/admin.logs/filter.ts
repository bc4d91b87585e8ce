import { logsMessages as copy } from "~/content/logs";
import { dayFields, linkTo, listState, shortText, type ValuesOf } from "~/http/list-state";
import { hours } from "~/lib/durations";
import { startOfUtcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import type { LogFilter } from "~/services/logs/log-store";

export const logsList = listState(
  {
    q: shortText(100, copy.searchTooLong),
    level: {
      error: copy.notALevel,
      clean: (typed: string) => typed.toUpperCase(),
      parse: (text: string) => (/^[A-Z]{1,16}$/.test(text) ? text : undefined),
    },
    ...dayFields,
    /** One hour of the chart: "2026-11-27T14", in UTC. It lies within the days, if there are any. */
    hour: { error: copy.notAnHour, parse: parseHour },
  },
  ({ q, level, from, to, hour }): LogFilter =>
    hour === undefined
      ? { search: q, level, from, until: to }
      : { search: q, level, from: hour, until: hour + hours(1) },
);

/** Returns the first millisecond of an hour like 2026-11-27T14 in UTC; undefined when there is no such hour. */
export function parseHour(text: string): number | undefined {
  const [, day = "", hour] = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3])$/.exec(text) ?? [];
  const start = startOfUtcDay(day);
  return start === undefined ? undefined : start + hours(Number(hour));
}

/** The colours of the levels (specification, section 2); any other level is neutral. */
export const LEVEL_COLOURS: Readonly<Record<string, "info" | "warning" | "destructive">> = {
  INFO: "info",
  WARN: "warning",
  ERROR: "destructive",
};

interface Place {
  /** The id of the line after which the page starts. */
  readonly past?: number | undefined;
  /** The id of the line whose message is shown in full. */
  readonly whole?: number | undefined;
  readonly step?: "delete" | undefined;
  /** Loads new lines continuously. */
  readonly live?: "on" | undefined;
}

/** Returns the page's URL with all state that a reload should keep. */
export function getLogsUrl(values: ValuesOf<typeof logsList>, place: Place = {}): string {
  return linkTo(paths.logs, { ...values, ...place });
}
