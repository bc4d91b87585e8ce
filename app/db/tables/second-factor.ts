import type { EpochMs } from "./columns";

/** Secret of an account's authentication codes; at most one row per account. */
export interface SecondFactorsTable {
  account_id: string;
  /** The secret, encrypted (secret-box.server.ts). */
  sealed_secret: string;
  begun_at: EpochMs;
  /** Time at which a first code proved that the secret arrived; the second factor has no effect while null. */
  confirmed_at: EpochMs | null;
  /** Time step (RFC 6238) of the newest accepted code: it and older ones are used up. */
  last_step: number;
}

/** Unused recovery codes: a used one is deleted. */
export interface RecoveryCodesTable {
  account_id: string;
  /** SHA-256, hex. */
  code_hash: string;
}
