/** Epoch milliseconds, in a bigint column. */
export type EpochMs = number;

/** Boolean in an integer column. */
export type IntegerBoolean = 0 | 1;

/** Columns that the jobs of every queue have (app/services/queue/leases.server.ts). */
export interface QueueColumns {
  /** Last response of the other side, or the reason why it was not sent; empty without one. */
  detail: string;
  /** The job is due from this time on. */
  not_before: EpochMs;
  /** `{instance}/{boot id}` while it is claimed; otherwise empty. */
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}
