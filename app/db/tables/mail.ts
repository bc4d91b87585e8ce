import type { EpochMs } from "./columns";

/** The `outbox` mail driver's rows; the .eml file lies beside in DATA_DIR/outbox. */
export interface OutboxMailsTable {
  id: string;
  message_id: string;
  to_address: string;
  subject: string;
  file: string;
  created_at: EpochMs;
}
