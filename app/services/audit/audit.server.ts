import type { Write } from "~/db/database.server";
import type { AuditTable } from "~/db/tables/audit";
import { hours } from "~/lib/durations";
import { consume } from "~/services/attempts/attempts.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";

/**
 * Audit entries per hour for refused requests of visitors, over all networks: entries are never removed, and
 * each network may cause some. Further refusals are only logged (hardening R36).
 */
export const VISITOR_REFUSAL_LIMIT = { allowed: 500, windowMs: hours(1) };

/** Stored part of a request's origin. */
export interface Provenance {
  /** Shortened address. */
  readonly network: string;
  readonly requestId: string;
}

/** Person, visitor or system that performs an action, and where the request came from. */
export interface Actor extends Provenance {
  /** An account's address, or "visitor" or "system". */
  readonly by: string;
}

/** Actor of what the product does by itself. */
export const SYSTEM: Actor = { network: "", requestId: "", by: "system" };

export interface AuditEntry {
  /** An account's address, or "visitor" or "system". */
  readonly actor: string;
  readonly action: AuditAction;
  /** Object of the action. */
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
  | "reschedule-outreach"
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

/**
 * Records an action in the action's own transaction, under an id and a time that the caller gives (C36). Called
 * again with the same id it updates the subject: an action of several transactions has one entry, which tells how
 * far it came wherever it is interrupted.
 */
export async function recordAudit(
  trx: Write,
  entry: AuditEntry & Provenance & { id: string; at: number; contentHash?: string },
): Promise<void> {
  if (entry.actor === "visitor" && entry.outcome === "refused") {
    const attempt = await consume(trx, { "audit:visitors": VISITOR_REFUSAL_LIMIT }, entry.at);
    if (!attempt.ok) return;
  }
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
      content_hash: entry.contentHash ?? "",
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ subject: entry.subject }))
    .execute();
}

/**
 * Creates the function with which a service records its actions: it adds the time, and a new id unless the
 * entry has one.
 */
export function createAudit({ clock, newId }: { clock: Clock; newId: NewId }) {
  return (
    trx: Write,
    { by, network, requestId }: Actor,
    entry: Pick<AuditEntry, "action" | "subject"> & {
      outcome?: AuditEntry["outcome"];
      id?: string;
      contentHash?: string;
    },
  ): Promise<void> =>
    recordAudit(trx, { id: newId(), at: clock(), outcome: "ok", ...entry, actor: by, network, requestId });
}
