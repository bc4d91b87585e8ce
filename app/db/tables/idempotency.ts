import type { EpochMs } from "./columns";

/** Calls of the API that carried an Idempotency-Key: each key is one action. */
export interface IdempotencyKeysTable {
  /** The token's id, a colon and the key: what one program calls an action says nothing of another's. */
  id: string;
  /** SHA-256 over what was asked for, hex. */
  fingerprint: string;
  /** What the action is known by elsewhere, fixed before it begins: a Message-ID. */
  reference: string;
  /** How it ended, JSON; null while it is under way. */
  outcome: string | null;
  claimed_at: EpochMs;
}
