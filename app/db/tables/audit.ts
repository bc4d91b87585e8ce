import type { ColumnType, Generated } from "kysely";
import type { EpochMs } from "./columns";

/**
 * Audit entries: actor, action, time and origin. Never deleted by the product, and changed only by the action
 * itself while it is in progress.
 */
export interface AuditTable {
  id: string;
  at: ColumnType<EpochMs, EpochMs, never>;
  actor: string;
  action: string;
  subject: string;
  outcome: "ok" | "refused" | "failed";
  network: string;
  request_id: string;
  /** SHA-256 of the content and audience of a confirmed campaign (hardening C30); otherwise empty. */
  content_hash: Generated<string>;
}
