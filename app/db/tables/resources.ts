import type { EpochMs } from "./columns";

/**
 * Resource use of one instance in one time step: means of its samples, and peaks. Percentages, KB per second, a
 * number.
 */
export interface ResourceSamplesTable {
  instance: string;
  /** Length in milliseconds: a minute or 15 minutes. */
  step: number;
  /** Start of the step. */
  at: EpochMs;
  /** Number of measurements in the mean. */
  samples: number;
  cpu: number;
  cpu_peak: number;
  memory: number;
  memory_peak: number;
  disk: number;
  inbound: number;
  outbound: number;
  /** Null when unknown. */
  meetings: number | null;
}

/** A period in which one instance had too little of a resource. */
export interface ResourceIncidentsTable {
  id: string;
  instance: string;
  kind: "memory" | "cpu" | "disk" | "meetings" | "redis";
  began_at: EpochMs;
  /** Null while it lasts. */
  ended_at: EpochMs | null;
  /** Worst value measured; written at the end. */
  peak: number;
  /** Time at which the accounts were emailed about the start; null when they were not. */
  mailed_at: EpochMs | null;
}
