import type { Write } from "~/db/database.server";
import type { AuditTable } from "~/db/tables";

/** Where a request came from, as far as it is kept. */
export interface Provenance {
  /** Shortened address. */
  readonly network: string;
  readonly requestId: string;
}

export interface AuditEntry {
  /** An account's address, or "visitor" or "system". */
  readonly actor: string;
  readonly action: AuditAction;
  /** What it was done to. */
  readonly subject: string;
  readonly outcome: AuditTable["outcome"];
}

export type AuditAction =
  | "login"
  | "logout"
  | "throttle-password"
  | "throttle-form"
  | "deny-access"
  | "end-session"
  | "end-other-sessions"
  | "export-activity"
  | "change-password"
  | "create-superadmin"
  | "add-account"
  | "remove-account"
  | "reissue-password"
  | "send-test-mail"
  | "confirm-outreach"
  | "pause-outreach"
  | "resume-outreach"
  | "cancel-outreach"
  | "decide-uncertain"
  | "retry-failed"
  | "release-quarantined"
  | "purge-quarantined"
  | "unsubscribe"
  | "confirm-signup";

/** Writes who did what, in the transaction of the deed itself, so that neither stands without the other (C36). */
export async function recordAudit(
  trx: Write,
  entry: AuditEntry & Provenance & { id: string; at: number },
): Promise<void> {
  await trx
    .insertInto("audit")
    .values({
      id: entry.id,
      at: entry.at,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      outcome: entry.outcome,
      network: entry.network,
      request_id: entry.requestId,
    })
    .execute();
}

/**
 * Says anew what a deed of several transactions was done to, in the last one so far: wherever it is interrupted, its one
 * row tells exactly how far it came.
 */
export async function restateAudit(trx: Write, id: string, subject: string): Promise<void> {
  await trx.updateTable("audit").set({ subject }).where("id", "=", id).execute();
}
