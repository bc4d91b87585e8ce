import type { Write } from "~/db/database.server";
import type { AuditTable } from "~/db/tables/audit";

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
  | "throttle-push"
  | "deny-access"
  | "end-session"
  | "end-other-sessions"
  | "export-activity"
  | "export-logs"
  | "delete-logs"
  | "change-password"
  | "turn-on-second-factor"
  | "turn-off-second-factor"
  | "reset-second-factor"
  | "second-factor-code"
  | "throttle-second-factor"
  | "use-recovery-code"
  | "renew-recovery-codes"
  | "create-superadmin"
  | "add-account"
  | "remove-account"
  | "reissue-password"
  | "send-test-mail"
  | "confirm-outreach"
  | "pause-outreach"
  | "resume-outreach"
  | "begin-outreach"
  | "cancel-outreach"
  | "decide-uncertain"
  | "retry-failed"
  | "export-recipients"
  | "release-quarantined"
  | "purge-quarantined"
  | "export-submissions"
  | "delete-submissions"
  | "restore-submissions"
  | "export-person"
  | "erase-person"
  | "unsubscribe"
  | "confirm-signup"
  | "create-token"
  | "revoke-token"
  | "deny-token"
  | "throttle-token"
  | "throttle-calls"
  | "send-api-mail"
  | "add-suppression"
  | "import-suppressions"
  | "release-suppressed"
  | "export-suppressions"
  | "receive-bounces"
  | "confirm-broadcast"
  | "pause-broadcast"
  | "resume-broadcast"
  | "accept-refusals"
  | "cancel-broadcast"
  | "retry-broadcast"
  | "ask-platform-again"
  | "stop-broadcast"
  | "export-devices"
  | "send-test-push"
  | "import-tenants"
  | "import-from-mirror"
  | "repair-mirror"
  | "retry-mirror"
  | "decide-mirror-row";

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
