import type { EpochMs, IntegerBoolean } from "./columns";

/** Addresses that get no email any more, unique per address. */
export interface SuppressionsTable {
  /** New with each reason that counts, so that the order of ids is the order of `created_at`. */
  id: string;
  /** As typed. */
  address: string;
  email_key: string;
  reason: "unsubscribed" | "complained" | "refused" | "bounced" | "added" | "imported";
  /** As quoted from a mail server or an operator; empty without a text. */
  detail: string;
  /** The person unsubscribed; stays 1 when a mail server reports the address later. */
  opted_out: IntegerBoolean;
  /** Email that caused it; null when there is none, or it was no campaign's. */
  delivery_id: string | null;
  created_at: EpochMs;
}
