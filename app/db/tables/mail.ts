import type { EpochMs } from "./columns";

/** Emails of the `outbox` mail driver; the .eml files are in DATA_DIR/outbox. */
export interface OutboxMailsTable {
  id: string;
  message_id: string;
  to_address: string;
  subject: string;
  file: string;
  created_at: EpochMs;
}
