import { days, hours, minutes } from "~/lib/durations";
import { utcTime } from "~/lib/format-time";
import { utcDay } from "~/lib/utc-day";
import { getNotReadyReason, isMeasuredByPlatform, measuredAs, resources } from "~/services/container.server";
import type { Incident } from "~/services/resources/incidents.server";
import { joinSteps, startOfStep } from "~/services/resources/history.server";
import type { Period, Step, StoredStep } from "~/services/resources/history.server";

/** Charts have 240 points at either length; tables a row for each hour, or each day. */
const LENGTHS = {
  day: { length: days(1), point: minutes(6), row: hours(1) },
  month: { length: days(30), point: hours(3), row: days(1) },
} as const;

/** Builds the page from its URL: `?over=month` shows 30 days, anything else a day. */
export async function getResourcesView(search: URLSearchParams) {
  const over: Period = search.get("over") === "month" ? "month" : "day";
  const [latest, steps, incidents, neighbours] = await Promise.all([
    resources.latest(),
    resources.history(over),
    resources.incidents(),
    resources.neighbours(),
  ]);
  const now = Date.now();
  return {
    latest,
    notReady: getNotReadyReason(),
    history: toHistory(
      steps,
      over,
      now,
      incidents.filter((incident) => incident.instance === measuredAs),
    ),
    incidents,
    neighbours,
    instance: measuredAs,
    isPlatforms: isMeasuredByPlatform,
    now,
  };
}

export type HistoryView = ReturnType<typeof toHistory>;

/** A point without a measurement is a gap: the server was not running. */
function toHistory(steps: readonly StoredStep[], over: Period, now: number, incidents: readonly Incident[]) {
  const { length, point, row } = LENGTHS[over];
  const points = joinByInterval(steps, point);
  const first = startOfStep(now - length, point) + point;
  const starts = Array.from({ length: length / point }, (_, index) => first + index * point);
  const line = (measure: keyof Step) =>
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
    rows: [...joinByInterval(steps, row)]
      .map(([at, step]) => ({ name: over === "month" ? utcDay(at) : utcTime(at).slice(0, 16), ...step }))
      .toReversed(),
  };
}

function joinByInterval(steps: readonly StoredStep[], length: number): Map<number, Step> {
  const joined = new Map<number, Step>();
  for (const step of steps) {
    const at = startOfStep(step.at, length);
    const earlier = joined.get(at);
    joined.set(at, earlier ? joinSteps(earlier, step) : step);
  }
  return joined;
}
