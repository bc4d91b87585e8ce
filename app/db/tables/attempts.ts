import type { EpochMs } from "./columns";

/** Counters of attempts per key and window: login and form limits, shared by all instances. */
export interface AttemptsTable {
  key: string;
  count: number;
  resets_at: EpochMs;
}
