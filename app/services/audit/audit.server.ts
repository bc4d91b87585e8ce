import type { AuditAction } from "~/content/activity-sentences";
import type { Read, Write } from "~/db/database.server";
import type { AuditTable } from "~/db/tables/accounts";
import { hours, minutes } from "~/lib/durations";
import { consume } from "~/services/attempts/attempts.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import type { ServiceDeps } from "~/services/service-deps";

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

/** Actor of background work. */
export const SYSTEM: Actor = { network: "", requestId: "", by: "system" };

export interface AuditEntry {
  /** `Actor.by`. */
  readonly actor: string;
  readonly action: AuditAction;
  /** Object of the action. */
  readonly subject: string;
  readonly outcome: AuditTable["outcome"];
}

export type { AuditAction };

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

/** Creates the function with which a service records its actions: adds the time, and an id if the entry has none. */
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

export interface LatestAction {
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Returns the latest entry of an action for each subject that has one, from the index `audit_by_action`. */
export async function getLatestActions(
  read: Read,
  action: AuditAction,
  subjects: readonly string[],
): Promise<Map<string, LatestAction>> {
  if (subjects.length === 0) return new Map();
  const rows = await read
    .selectFrom("audit")
    .select(["subject", "actor", "at"])
    .where("action", "=", action)
    .where("subject", "in", subjects)
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ subject, actor, at }) => [subject, { by: actor, at }]));
}

/** Repeated requests for a page are one entry per window, and no account fills the audit with many pages. */
const PER_PAGE = { allowed: 1, windowMs: minutes(15) };
const PER_ACCOUNT = { allowed: 20, windowMs: minutes(15) };
const MAX_PATH_LENGTH = 200;

export type Denials = ReturnType<typeof createDenials>;

/** Records requests for pages that the role does not allow (C36), once per account, page and 15 minutes. */
export function createDenials(deps: ServiceDeps) {
  const record = createAudit(deps);
  return {
    async record(
      account: { accountId: string; email: string },
      pathname: string,
      origin: Provenance,
    ): Promise<void> {
      const subject = pathname.slice(0, MAX_PATH_LENGTH);
      const key = `denied:${account.accountId}`;
      const limits = { [key]: PER_ACCOUNT, [`${key}:${subject}`]: PER_PAGE };
      await deps.database.write(async (trx) => {
        const attempt = await consume(trx, limits, deps.clock());
        if (!attempt.ok) return;
        const actor = { ...origin, by: account.email };
        await record(trx, actor, { action: "deny-access", subject, outcome: "refused" });
      });
    },
  };
}
