import type { EpochMs } from "./columns";

/** How one instance fared over one step of time: means of its samples, and peaks. Percentages, KB a second, a number. */
export interface ResourceSamplesTable {
  instance: string;
  /** How long it is, in milliseconds: a minute or 15. */
  step: number;
  /** When it began. */
  at: EpochMs;
  /** How many measurements it is the mean of. */
  samples: number;
  cpu: number;
  cpu_peak: number;
  memory: number;
  memory_peak: number;
  disk: number;
  inbound: number;
  outbound: number;
  /** Null when nobody told. */
  meetings: number | null;
}

/** A time when there was too little of something on one instance. */
export interface ResourceIncidentsTable {
  id: string;
  instance: string;
  kind: "memory" | "cpu" | "disk" | "meetings" | "redis";
  began_at: EpochMs;
  /** Null while it lasts. */
  ended_at: EpochMs | null;
  /** The worst value measured in it; written at its end. */
  peak: number;
  /** When its beginning was mailed to the accounts; null when it was not. */
  mailed_at: EpochMs | null;
}
