import type { ColumnType, Generated } from "kysely";
import type { EpochMs } from "./columns";

/** Who did what, when, from where. Never deleted in the product, and changed only by the action itself while it goes on. */
export interface AuditTable {
  id: string;
  at: ColumnType<EpochMs, EpochMs, never>;
  actor: string;
  action: string;
  subject: string;
  outcome: "ok" | "refused" | "failed";
  network: string;
  request_id: string;
  /** Of a confirmed campaign the SHA-256 of what it says and to whom (hardening C30); otherwise empty. */
  content_hash: Generated<string>;
}
