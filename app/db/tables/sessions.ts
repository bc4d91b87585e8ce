import type { EpochMs } from "./columns";

export interface SessionsTable {
  /** SHA-256 of the id in the cookie, hex. */
  id_hash: string;
  account_id: string;
  created_at: EpochMs;
  last_seen_at: EpochMs;
  user_agent: string;
  network: string;
}
