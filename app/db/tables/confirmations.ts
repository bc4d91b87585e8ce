import type { Generated } from "kysely";
import type { EpochMs, Truth } from "./columns";
import type { DeliveryState } from "./outreach";

/** One row per address that was asked whether it signed up for updates, and the mail that asks (DOUBLE_OPT_IN). */
export interface ConfirmationsTable {
  /** In the link, new with each asking that follows a confirmation. */
  id: string;
  /** As typed last. */
  address: string;
  /** Unique. */
  email_key: string;
  /** When the newest link was made; it stands in the link and decides when that expires. */
  asked_at: EpochMs;
  /** Null while nobody has confirmed. */
  confirmed_at: EpochMs | null;
  /** Of the mail: as in the ledger (outreach.ts), also what follows. */
  state: DeliveryState;
  detail: string;
  attempts: number;
  resent_after_crash: Generated<Truth>;
  not_before: EpochMs;
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}
