import { getChartGrid } from "~/lib/chart-grid.server";
import { days, hours } from "~/lib/durations";
import { shortUtcDay, startOfDay } from "~/lib/utc-day";
import type { LogFilter } from "~/services/logs/log-store";

/** Longer ranges are counted by day. */
const MAX_HOURLY_RANGE = days(3);
const MAX_DAILY_RANGE = days(60);

/** Returns the chart's time range: the last 24 hours, or the selected days. */
export function getVolumeRange({ from, until }: LogFilter, now: number): { from: number; until: number } {
  const nextHour = now - (now % hours(1)) + hours(1);
  if (from === undefined && until === undefined) return { from: nextHour - hours(24), until: nextHour };
  const end = Math.min(until ?? nextHour, Math.max(nextHour, from ?? 0));
  const start = from ?? end - days(30);
  return { from: Math.min(Math.max(start, end - MAX_DAILY_RANGE), end - hours(1)), until: end };
}

/** Counts the lines of each hour or day in a time range, including empty ones. */
export function getVolume(
  { from, until }: { from: number; until: number },
  counted: readonly { hour: number; level: string; lines: number }[],
) {
  const per: "hour" | "day" = until - from <= MAX_HOURLY_RANGE ? "hour" : "day";
  const length = per === "hour" ? hours(1) : days(1);
  const getStart = (at: number) => (per === "hour" ? at - (at % length) : startOfDay(at));
  const byStart = Map.groupBy(counted, ({ hour }) => getStart(hour));
  const columns: { name: string; all: number; errors: number; warnings: number }[] = [];
  for (let at = getStart(from); at < until; at += length) {
    const counts = byStart.get(at) ?? [];
    const sum = (level?: string) =>
      counts.reduce((total, row) => total + (level === undefined || row.level === level ? row.lines : 0), 0);
    columns.push({ name: formatName(at, per), all: sum(), errors: sum("ERROR"), warnings: sum("WARN") });
  }
  return { per, columns, grid: getChartGrid(columns.map(({ all }) => all)) };
}

/** Returns a name that is unique within 60 days or 72 hours. */
function formatName(at: number, per: "hour" | "day"): string {
  const day = shortUtcDay(at);
  return per === "day" ? day : `${day} ${new Date(at).toISOString().slice(11, 13)}:00`;
}
