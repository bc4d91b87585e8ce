import { seconds } from "~/lib/durations";
import type { SystemResources } from "./system-resources";
import { HEALTH_LIMITS, MEETINGS_DANGER } from "./usage";

export const INCIDENT_KINDS = ["memory", "cpu", "disk", "meetings", "redis"] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** Time at or over the limit after which an incident begins. */
const BEGINS_AFTER_MS = seconds(30);
/** Time clearly below the limit after which an incident ends. */
const ENDS_AFTER_MS = seconds(60);

interface IncidentRule {
  /** Of the specification. */
  readonly limit: number;
  /** A value counts as normal again when it is this much below the limit (hysteresis). */
  readonly margin: number;
  /** Undefined when it is not measured. */
  readonly getValue: (resources: SystemResources) => number | undefined;
}

export const INCIDENT_RULES: Record<IncidentKind, IncidentRule> = {
  memory: { limit: HEALTH_LIMITS.memory, margin: 5, getValue: ({ memory }) => memory.usagePercentage },
  cpu: { limit: HEALTH_LIMITS.cpu, margin: 10, getValue: ({ cpu }) => cpu.usagePercentage },
  disk: { limit: HEALTH_LIMITS.disk, margin: 2, getValue: ({ diskUsage }) => diskUsage.usagePercentage },
  meetings: { limit: MEETINGS_DANGER, margin: 2, getValue: ({ meetings }) => meetings?.concurrentMeetings },
  /** 1 means disconnected. */
  redis: { limit: 1, margin: 1, getValue: ({ redis }) => redis && (redis.isConnected ? 0 : 1) },
};

export interface IncidentState {
  readonly isOpen: boolean;
  /** Epoch milliseconds; undefined while the value is not over the limit. */
  readonly overSince: number | undefined;
  readonly normalSince: number | undefined;
  /** Highest value since it went over the limit. */
  readonly peak: number;
}

export const NO_INCIDENT: IncidentState = {
  isOpen: false,
  overSince: undefined,
  normalSince: undefined,
  peak: 0,
};

export type IncidentChange = "began" | "ended";

/** Applies one measurement to the state. A value that is not or no longer measured counts as normal. */
export function applyMeasurement(
  kind: IncidentKind,
  state: IncidentState,
  value: number | undefined,
  at: number,
): { state: IncidentState; change?: IncidentChange } {
  const { limit, margin } = INCIDENT_RULES[kind];
  const isOver = value !== undefined && value >= limit;
  const isNormal = value === undefined || value <= limit - margin;
  // A time in the future is from before the clock was set back.
  const overSince = isOver ? Math.min(state.overSince ?? at, at) : undefined;
  const normalSince = isNormal ? Math.min(state.normalSince ?? at, at) : undefined;
  const peak = isOver ? Math.max(state.peak, value) : state.peak;
  if (!state.isOpen && overSince !== undefined && at - overSince >= BEGINS_AFTER_MS) {
    return { state: { isOpen: true, overSince, normalSince, peak }, change: "began" };
  }
  if (state.isOpen && normalSince !== undefined && at - normalSince >= ENDS_AFTER_MS) {
    return { state: NO_INCIDENT, change: "ended" };
  }
  const isForgotten = !state.isOpen && !isOver;
  return { state: { isOpen: state.isOpen, overSince, normalSince, peak: isForgotten ? 0 : peak } };
}
