import type { SystemResources, Usage } from "./system-resources";

/** Limits of the System Resources Monitor (specification, sections 4 and 9). */
export const USAGE_WARNING = 70;
export const USAGE_DANGER = 90;
export const MEETINGS_WARNING = 8;
export const MEETINGS_DANGER = 12;
export const MEETING_CAPACITY = 15;
/** Limits below all of which the infrastructure is healthy. */
export const HEALTH_LIMITS = { memory: 70, cpu: 80, disk: 75 } as const;

type Tone = "success" | "caution" | "destructive";
export type HealthPart = keyof typeof HEALTH_LIMITS;

/** Returns the colour of a usage in percent: green, yellow from 70, red from 90. */
export function usageTone(percentage: number): Tone {
  if (percentage >= USAGE_DANGER) return "destructive";
  return percentage >= USAGE_WARNING ? "caution" : "success";
}

/** Returns the colour of a number of meetings: green, yellow from 8, red from 12. */
export function meetingTone(meetings: number): Tone {
  if (meetings >= MEETINGS_DANGER) return "destructive";
  return meetings >= MEETINGS_WARNING ? "caution" : "success";
}

export function meetingLoad(meetings: number): "Low" | "Medium" | "High" {
  return ({ success: "Low", caution: "Medium", destructive: "High" } as const)[meetingTone(meetings)];
}

/** Returns the fill of the meetings bar: 100 at most. */
export function meetingLoadPercentage(meetings: number): number {
  return Math.min(100, (100 * meetings) / MEETING_CAPACITY);
}

export type OverLimit = ReturnType<typeof listOverLimits>[number];

/** Lists the parts at or over their limit; empty when the infrastructure is healthy. */
export function listOverLimits(resources: Pick<SystemResources, "memory" | "cpu" | "diskUsage">) {
  const parts = { memory: resources.memory, cpu: resources.cpu, disk: resources.diskUsage };
  return (["memory", "cpu", "disk"] as const)
    .map((part) => ({ part, percentage: parts[part].usagePercentage, limit: HEALTH_LIMITS[part] }))
    .filter(({ percentage, limit }) => percentage >= limit);
}

/** Share of the total below which a difference is due to rounding. */
const ROUNDING = 0.01;

/**
 * Returns the bytes of a disk that are neither used nor free: a file system reserves some for the system
 * (statfs(2): `f_bfree` less `f_bavail`), and the percentage, like df's, excludes them.
 */
export function getReservedBytes({ usagePercentage, totalBytes, freeBytes }: Usage): number {
  if (usagePercentage >= 100) return 0;
  const used = (freeBytes * usagePercentage) / (100 - usagePercentage);
  const reserved = totalBytes - freeBytes - used;
  return reserved > totalBytes * ROUNDING ? reserved : 0;
}
