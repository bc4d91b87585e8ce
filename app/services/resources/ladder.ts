import { days, minutes } from "~/lib/durations";
import type { SystemResources } from "./system-resources";

/** The steps samples are kept in, and for how long. */
export const LADDER = {
  minute: { step: minutes(1), keptFor: days(1) },
  quarter: { step: minutes(15), keptFor: days(30) },
} as const;

/** What is kept of resources over some time: means, and for what jumps the peak. */
export interface Step {
  readonly samples: number;
  readonly cpu: number;
  readonly cpuPeak: number;
  readonly memory: number;
  readonly memoryPeak: number;
  readonly disk: number;
  readonly inbound: number;
  readonly outbound: number;
  /** Null when nobody told. */
  readonly meetings: number | null;
}

export const startOfStep = (at: number, step: number): number => Math.floor(at / step) * step;

/** One measurement as a step of its own. */
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

/** Two steps as one: means by the number of samples. Of meetings only what was told counts. */
export function joinSteps(a: Step, b: Step): Step {
  const samples = a.samples + b.samples;
  const mean = (of: (step: Step) => number) => (of(a) * a.samples + of(b) * b.samples) / samples;
  const told = a.meetings !== null && b.meetings !== null;
  return {
    samples,
    cpu: mean(({ cpu }) => cpu),
    cpuPeak: Math.max(a.cpuPeak, b.cpuPeak),
    memory: mean(({ memory }) => memory),
    memoryPeak: Math.max(a.memoryPeak, b.memoryPeak),
    disk: mean(({ disk }) => disk),
    inbound: mean(({ inbound }) => inbound),
    outbound: mean(({ outbound }) => outbound),
    meetings: told ? mean(({ meetings }) => meetings ?? 0) : (a.meetings ?? b.meetings),
  };
}
