import { days, hours, minutes } from "~/lib/durations";
import { zonedMinute } from "~/lib/format-time";
import { fromWallTime, toWallTime } from "~/lib/zoned-time";
import { getNotReadyReason, isMeasuredByPlatform, measuredAs, resources } from "~/services/container.server";
import type { Incident } from "~/services/resources/incidents.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { joinAggregates, startOfStep } from "~/services/resources/history.server";
import type { Aggregate, Period, StoredAggregate } from "~/services/resources/history.server";

/** Charts have 240 points at either length. */
const LENGTHS = {
  day: { length: days(1), point: minutes(6) },
  month: { length: days(30), point: hours(3) },
} as const;

/** Builds the page from its URL: `?over=month` shows 30 days, anything else a day. */
export async function getResourcesView(search: URLSearchParams, { timeZone }: Pick<SignedIn, "timeZone">) {
  const over: Period = search.get("over") === "month" ? "month" : "day";
  const now = Date.now();
  const [latest, aggregates, incidents, ownIncidents, neighbours] = await Promise.all([
    resources.latest(),
    resources.history(over),
    resources.incidents(),
    resources.ownIncidents(now - LENGTHS[over].length),
    resources.neighbours(),
  ]);
  return {
    latest,
    notReady: getNotReadyReason(),
    history: toHistory(aggregates, over, now, ownIncidents),
    rows: toRows(aggregates, over, { now, timeZone }),
    incidents,
    neighbours,
    instance: measuredAs,
    isMeasuredByPlatform,
    now,
  };
}

export type HistoryView = ReturnType<typeof toHistory>;
export type HistoryRow = ReturnType<typeof toRows>[number];

/** A point without a measurement is a gap: the server was not running. */
function toHistory(
  aggregates: readonly StoredAggregate[],
  over: Period,
  now: number,
  incidents: readonly Incident[],
) {
  const { length, point } = LENGTHS[over];
  const points = joinBy(aggregates, ({ at }) => startOfStep(at, point));
  const first = startOfStep(now - length, point) + point;
  const starts = Array.from({ length: length / point }, (_, index) => first + index * point);
  const line = (measure: keyof Aggregate) =>
    starts.map((at) => {
      const value = points.get(at)?.[measure] ?? null;
      return value === null ? null : Math.round(value * 10) / 10;
    });
  const toPlace = (at: number) => Math.min(starts.length - 1, Math.max(0, (at - first) / point));
  return {
    over,
    /** The epoch milliseconds of the first point, and from one to the next. */
    first,
    point,
    incidents: incidents
      .filter(({ ended_at }) => ended_at === null || ended_at > first)
      .map(({ kind, began_at, ended_at }) => ({
        kind,
        from: toPlace(began_at),
        to: toPlace(ended_at ?? now),
      })),
    lines: {
      cpu: line("cpu"),
      cpu_peak: line("cpu_peak"),
      memory: line("memory"),
      memory_peak: line("memory_peak"),
      disk: line("disk"),
      inbound: line("inbound"),
      outbound: line("outbound"),
      meetings: line("meetings"),
    },
  };
}

/** Returns a row for each hour of a day, or for each day of a month, in the time zone; the newest first. */
function toRows(
  aggregates: readonly StoredAggregate[],
  over: Period,
  { now, timeZone }: { now: number; timeZone: string },
) {
  const row = over === "month" ? days(1) : hours(1);
  const first = toWallTime(now - LENGTHS[over].length, timeZone);
  const last = toWallTime(now, timeZone);
  const starts: number[] = [];
  for (let wall = first - (first % row); wall <= last; wall += row) starts.push(fromWallTime(wall, timeZone));
  const joined = joinBy(aggregates, ({ at }) => starts.findLast((start) => start <= at) ?? at);
  return [...joined]
    .map(([at, aggregate]) => ({
      name: zonedMinute(at, timeZone).slice(0, over === "month" ? 10 : undefined),
      ...aggregate,
    }))
    .toReversed();
}

/** Joins the aggregates with the same key, in the order of their first ones. */
function joinBy(
  aggregates: readonly StoredAggregate[],
  getKey: (aggregate: StoredAggregate) => number,
): Map<number, Aggregate> {
  const joined = new Map<number, Aggregate>();
  for (const aggregate of aggregates) {
    const key = getKey(aggregate);
    const earlier = joined.get(key);
    joined.set(key, earlier ? joinAggregates(earlier, aggregate) : aggregate);
  }
  return joined;
}
