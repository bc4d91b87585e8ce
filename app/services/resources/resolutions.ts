import { days, minutes } from "~/lib/durations";
import type { SystemResources } from "./system-resources";

/** Resolutions of the history and their retention. */
export const RESOLUTIONS = {
  minute: { step: minutes(1), keptFor: days(1) },
  quarter: { step: minutes(15), keptFor: days(30) },
} as const;

/** Aggregate of samples over one interval: means, and peaks of values that fluctuate. */
export interface Step {
  readonly samples: number;
  readonly cpu: number;
  readonly cpuPeak: number;
  readonly memory: number;
  readonly memoryPeak: number;
  readonly disk: number;
  readonly inbound: number;
  readonly outbound: number;
  /** Null when unknown. */
  readonly meetings: number | null;
}

export const startOfStep = (at: number, step: number): number => Math.floor(at / step) * step;

/** Converts one measurement to an aggregate. */
export function toStep({ cpu, memory, diskUsage, network, meetings }: SystemResources): Step {
  return {
    samples: 1,
    cpu: cpu.usagePercentage,
    cpuPeak: cpu.usagePercentage,
    memory: memory.usagePercentage,
    memoryPeak: memory.usagePercentage,
    disk: diskUsage.usagePercentage,
    inbound: network.inboundKBps,
    outbound: network.outboundKBps,
    meetings: meetings?.concurrentMeetings ?? null,
  };
}

/** Merges two aggregates: means weighted by the number of samples. Unknown meetings are ignored. */
export function joinSteps(a: Step, b: Step): Step {
  const samples = a.samples + b.samples;
  const mean = (of: (step: Step) => number) => (of(a) * a.samples + of(b) * b.samples) / samples;
  const isKnown = a.meetings !== null && b.meetings !== null;
  return {
    samples,
    cpu: mean(({ cpu }) => cpu),
    cpuPeak: Math.max(a.cpuPeak, b.cpuPeak),
    memory: mean(({ memory }) => memory),
    memoryPeak: Math.max(a.memoryPeak, b.memoryPeak),
    disk: mean(({ disk }) => disk),
    inbound: mean(({ inbound }) => inbound),
    outbound: mean(({ outbound }) => outbound),
    meetings: isKnown ? mean(({ meetings }) => meetings ?? 0) : (a.meetings ?? b.meetings),
  };
}
