import type { EpochMs, Truth } from "./columns";

/** Addresses that get no mail any more, unique per address. */
export interface SuppressionsTable {
  /** New with each reason that counts, so that the order of ids is the order of `created_at`. */
  id: string;
  /** As typed. */
  address: string;
  email_key: string;
  reason: "unsubscribed" | "complained" | "refused" | "bounced" | "added" | "imported";
  /** In a mail server's or an operator's words; empty when nothing was said. */
  detail: string;
  /** The person asked for no more mail; stays so when a mail server has its say later. */
  opted_out: Truth;
  /** The mail it came of; null when there is none, or it was no outreach. */
  delivery_id: string | null;
  created_at: EpochMs;
}
