import type { EpochMs, IntegerBoolean } from "./columns";

/** Reports about emails that a mail server had accepted, each report once. */
export interface BouncesTable {
  /** SHA-256 of the report, hex: the same report is the same row. */
  id: string;
  type: "bounce" | "complaint";
  permanent: IntegerBoolean;
  address: string;
  /** As quoted in the report; empty when it has none. */
  reason: string;
  /** Both null when the report is not about a delivery. */
  campaign_id: string | null;
  delivery_id: string | null;
  happened_at: EpochMs;
  received_at: EpochMs;
}
