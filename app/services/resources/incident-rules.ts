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
export interface Standing {
  readonly isOpen: boolean;
  /** Epoch milliseconds; undefined while it is not. */
  readonly overSince: number | undefined;
  readonly wellSince: number | undefined;
  /** The worst since it is over. */
  readonly peak: number;
}

export const WELL: Standing = { isOpen: false, overSince: undefined, wellSince: undefined, peak: 0 };

export type Turn = "began" | "ended" | undefined;

/** What one measurement makes of it. What is not measured (any more) is no incident. */
export function turned(
  kind: IncidentKind,
  standing: Standing,
  value: number | undefined,
  at: number,
): { standing: Standing; turn: Turn } {
  const { limit, margin } = INCIDENT_LIMITS[kind];
  const isOver = value !== undefined && value >= limit;
  const isWell = value === undefined || value <= limit - margin;
  const overSince = isOver ? (standing.overSince ?? at) : undefined;
  const wellSince = isWell ? (standing.wellSince ?? at) : undefined;
  const peak = isOver ? Math.max(standing.peak, value) : standing.peak;
  if (!standing.isOpen && overSince !== undefined && at - overSince >= BEGINS_AFTER_MS) {
    return { standing: { isOpen: true, overSince, wellSince, peak }, turn: "began" };
  }
  if (standing.isOpen && wellSince !== undefined && at - wellSince >= ENDS_AFTER_MS) {
    return { standing: WELL, turn: "ended" };
  }
  const isForgotten = !standing.isOpen && !isOver;
  return {
    standing: { isOpen: standing.isOpen, overSince, wellSince, peak: isForgotten ? 0 : peak },
    turn: undefined,
  };
}

export function valueOf(kind: IncidentKind, resources: SystemResources): number | undefined {
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
