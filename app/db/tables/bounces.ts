import type { EpochMs, Truth } from "./columns";

/** What was reported of mails after a mail server had taken them, each report once. */
export interface BouncesTable {
  /** SHA-256 of the report, hex: the same one is the same row. */
  id: string;
  type: "bounce" | "complaint";
  permanent: Truth;
  address: string;
  /** In the words of the report; empty when it has none. */
  reason: string;
  /** Both null when it is about no mail of the ledger. */
  campaign_id: string | null;
  delivery_id: string | null;
  happened_at: EpochMs;
  received_at: EpochMs;
}
