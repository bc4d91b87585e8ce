import type { EpochMs } from "./columns";

/** Calls of the API that carried an Idempotency-Key: each key is one action. */
export interface IdempotencyKeysTable {
  /** `{token id}:{key}`: keys of different programs are independent. */
  id: string;
  /** SHA-256 of the request, hex. */
  fingerprint: string;
  /** Id of the action in other systems, fixed before it begins: a Message-ID. */
  reference: string;
  /** Result as JSON; null while the action is in progress. */
  outcome: string | null;
  claimed_at: EpochMs;
}
