import type { Generated } from "kysely";
import type { EpochMs, IntegerBoolean } from "./columns";
import type { DeliveryState } from "./outreach";

/** Confirmation requests for updates, one row per address, and the email that asks (DOUBLE_OPT_IN). */
export interface ConfirmationsTable {
  /** Part of the link; new with each request that follows a confirmation. */
  id: string;
  /** As typed last. */
  address: string;
  /** Unique. */
  email_key: string;
  /** Creation time of the newest link; it is part of the link and determines its expiry. */
  asked_at: EpochMs;
  /** Null until somebody confirms. */
  confirmed_at: EpochMs | null;
  /** State of the email, like that of a delivery (outreach.ts), as are the columns below. */
  state: DeliveryState;
  detail: string;
  attempts: number;
  resent_after_crash: Generated<IntegerBoolean>;
  not_before: EpochMs;
  lease_owner: string;
  lease_until: EpochMs;
  updated_at: EpochMs;
}
