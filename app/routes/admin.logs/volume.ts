import { days, hours } from "~/lib/durations";
import { shortUtcDay, startOfDay, startOfNextDay, utcDay } from "~/lib/utc-day";
import type { LogFilter } from "~/services/logs/log-store";

/** Longer ranges are counted by day. */
const MAX_HOURLY_RANGE = days(3);
const MAX_DAILY_RANGE = days(60);

/** The levels of the product's own lines, the most severe first; lines of any other level are counted together. */
export const COUNTED_LEVELS = ["ERROR", "WARN", "INFO"] as const;

/** Returns the chart's time range: the last 24 hours, the selected days, or the day around a selected hour. */
export function getVolumeRange(
  { from, until, hour }: Pick<LogFilter, "from" | "until"> & { hour?: number | undefined },
  now: number,
): { from: number; until: number } {
  const nextHour = now - (now % hours(1)) + hours(1);
  if (from === undefined && until === undefined) {
    const isEarlier = hour !== undefined && (hour < nextHour - hours(24) || hour >= nextHour);
    if (isEarlier) return { from: startOfDay(hour), until: startOfNextDay(startOfDay(hour)) };
    return { from: nextHour - hours(24), until: nextHour };
  }
  const end = Math.min(until ?? nextHour, Math.max(nextHour, from ?? 0));
  const start = from ?? end - days(30);
  return { from: Math.min(Math.max(start, end - MAX_DAILY_RANGE), end - hours(1)), until: end };
}

interface VolumeColumn {
  name: string;
  /** The first hour of a day is named by the day on the axis. */
  axisName: string | undefined;
  /** The value of the filter that selects the column: "2026-11-27T14", or "2026-11-27". */
  value: string;
  all: number;
  /** In the order of COUNTED_LEVELS, then of any other level. */
  levels: number[];
}

/** Counts the lines of each hour or day in a time range, including empty ones, by level. */
export function getVolume(
  { from, until }: { from: number; until: number },
  counted: readonly { hour: number; level: string; lines: number }[],
) {
  const per: "hour" | "day" = until - from <= MAX_HOURLY_RANGE ? "hour" : "day";
  const length = per === "hour" ? hours(1) : days(1);
  const getStart = (at: number) => (per === "hour" ? at - (at % length) : startOfDay(at));
  const byStart = Map.groupBy(counted, ({ hour }) => getStart(hour));
  const columns: VolumeColumn[] = [];
  for (let at = getStart(from); at < until; at += length) {
    const counts = byStart.get(at) ?? [];
    const sum = (level?: string) =>
      counts.reduce((total, row) => total + (level === undefined || row.level === level ? row.lines : 0), 0);
    const levels = COUNTED_LEVELS.map(sum);
    const all = sum();
    const others = all - levels.reduce((total, lines) => total + lines, 0);
    columns.push({
      name: formatName(at, per),
      axisName: getAxisName(at, per, until - from),
      value: per === "hour" ? new Date(at).toISOString().slice(0, 13) : utcDay(at),
      all,
      levels: [...levels, others],
    });
  }
  return { per, columns };
}

/** Returns a name that is unique within 60 days or 72 hours. */
function formatName(at: number, per: "hour" | "day"): string {
  const day = shortUtcDay(at);
  return per === "day" ? day : `${day} ${formatHour(at)}`;
}

const formatHour = (at: number): string => `${new Date(at).toISOString().slice(11, 13)}:00`;

/** Names every sixth or twelfth hour, the first one of a day by the day; of days about six. */
function getAxisName(at: number, per: "hour" | "day", length: number): string | undefined {
  if (per === "day") {
    const step = Math.ceil(length / days(1) / 6);
    return (startOfDay(at) / days(1)) % step === 0 ? shortUtcDay(at) : undefined;
  }
  const step = length <= days(1) ? 6 : 12;
  if ((at / hours(1)) % step !== 0) return undefined;
  return startOfDay(at) === at ? shortUtcDay(at) : formatHour(at);
}
