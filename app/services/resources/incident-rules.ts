import { seconds } from "~/lib/durations";
import type { SystemResources } from "./system-resources";
import { HEALTH_LIMITS, MEETINGS_DANGER } from "./thresholds";

export const INCIDENT_KINDS = ["memory", "cpu", "disk", "meetings", "redis"] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** At the limit for so long, it is an incident. */
const BEGINS_AFTER_MS = seconds(30);
/** Clearly below it for so long, it is over. */
const ENDS_AFTER_MS = seconds(60);

/** The limits of the specification, and how far below one a value must be to count as well again (hysteresis). */
export const INCIDENT_LIMITS: Record<IncidentKind, { readonly limit: number; readonly margin: number }> = {
  memory: { limit: HEALTH_LIMITS.memory, margin: 5 },
  cpu: { limit: HEALTH_LIMITS.cpu, margin: 10 },
  disk: { limit: HEALTH_LIMITS.disk, margin: 2 },
  meetings: { limit: MEETINGS_DANGER, margin: 2 },
  /** 1: away. */
  redis: { limit: 1, margin: 1 },
};

/** Where a kind stands: since when it is over its limit or well below it, and whether that is an incident. */
export interface IncidentState {
  readonly isOpen: boolean;
  /** Epoch milliseconds; undefined while it is not. */
  readonly overSince: number | undefined;
  readonly wellSince: number | undefined;
  /** The worst since it is over. */
  readonly peak: number;
}

export const NO_INCIDENT: IncidentState = {
  isOpen: false,
  overSince: undefined,
  wellSince: undefined,
  peak: 0,
};

export type IncidentChange = "began" | "ended";

/** What one measurement makes of it. What is not measured (any more) is no incident. */
export function judgeIncident(
  kind: IncidentKind,
  state: IncidentState,
  value: number | undefined,
  at: number,
): { state: IncidentState; change?: IncidentChange } {
  const { limit, margin } = INCIDENT_LIMITS[kind];
  const isOver = value !== undefined && value >= limit;
  const isWell = value === undefined || value <= limit - margin;
  const overSince = isOver ? (state.overSince ?? at) : undefined;
  const wellSince = isWell ? (state.wellSince ?? at) : undefined;
  const peak = isOver ? Math.max(state.peak, value) : state.peak;
  if (!state.isOpen && overSince !== undefined && at - overSince >= BEGINS_AFTER_MS) {
    return { state: { isOpen: true, overSince, wellSince, peak }, change: "began" };
  }
  if (state.isOpen && wellSince !== undefined && at - wellSince >= ENDS_AFTER_MS) {
    return { state: NO_INCIDENT, change: "ended" };
  }
  const isForgotten = !state.isOpen && !isOver;
  return { state: { isOpen: state.isOpen, overSince, wellSince, peak: isForgotten ? 0 : peak } };
}

export function getIncidentValue(kind: IncidentKind, resources: SystemResources): number | undefined {
  switch (kind) {
    case "memory":
      return resources.memory.usagePercentage;
    case "cpu":
      return resources.cpu.usagePercentage;
    case "disk":
      return resources.diskUsage.usagePercentage;
    case "meetings":
      return resources.meetings?.concurrentMeetings;
    case "redis":
      return resources.redis && (resources.redis.isConnected ? 0 : 1);
  }
}
