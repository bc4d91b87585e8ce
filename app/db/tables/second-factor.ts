import type { EpochMs } from "./columns";

/** At most one per account: what its authentication codes are made from. */
export interface SecondFactorsTable {
  account_id: string;
  /** The secret of the codes, encrypted (secret-box.server.ts). */
  sealed_secret: string;
  begun_at: EpochMs;
  /** When a first code proved that the secret arrived; null before, and then the factor counts for nothing. */
  confirmed_at: EpochMs | null;
  /** The time step (RFC 6238) of the newest code that was taken: it and older ones are used up. */
  last_step: number;
}

/** Those that are left: a used one is deleted. */
export interface RecoveryCodesTable {
  account_id: string;
  /** SHA-256, hex. */
  code_hash: string;
}
