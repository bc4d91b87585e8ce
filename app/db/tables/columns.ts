/** Epoch milliseconds, in a bigint column. */
export type EpochMs = number;

/** Boolean in an integer column. */
export type IntegerBoolean = 0 | 1;

/** Columns by which a queue's jobs are claimed (app/services/queue/leases.server.ts). */
export interface QueueColumns {
  /** The job is due from this time on. */
  not_before: EpochMs;
  /** `{instance}/{boot id}` while it is claimed; otherwise empty. */
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}
