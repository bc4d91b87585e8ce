import type { Read, Write } from "~/db/database.server";
import type { AuditTable } from "~/db/tables/accounts";
import { hours, minutes } from "~/lib/durations";
import { consume, refund } from "~/services/attempts/attempts.server";
import type { Clock, NewId, ServiceDeps } from "~/services/service-deps";
import type { AuditAction } from "./actions";

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

/** Where a request came from, for rate limits and audit entries. */
export interface Caller extends Provenance {
  /** Full address, which rate limits count by. */
  readonly address: string;
}

/** Where a request came from, for sessions too. */
export interface RequestOrigin extends Caller {
  readonly userAgent: string;
}

/** Person, visitor or system that performs an action, and where the request came from. */
export interface Actor extends Provenance {
  /** An account's address, or "visitor" or "system". */
  readonly by: string;
}

/** Actor of background work. */
export const SYSTEM: Actor = { network: "", requestId: "", by: "system" };

export interface AuditEntry {
  readonly action: AuditAction;
  /** Object of the action. */
  readonly subject: string;
  /** Left out: "ok". */
  readonly outcome?: AuditTable["outcome"] | undefined;
  /** Left out: a new one. */
  readonly id?: string;
  readonly contentHash?: string;
}

/**
 * Creates the function with which a service records its actions, each in the action's own transaction (C36). An entry
 * with a known id updates the subject of the earlier one.
 */
export function createAudit({ clock, newId }: { clock: Clock; newId: NewId }) {
  return async (trx: Write, actor: Actor, entry: AuditEntry): Promise<void> => {
    const { by, network, requestId: request_id } = actor;
    const { action, subject, outcome = "ok", id = newId(), contentHash: content_hash = "" } = entry;
    const at = clock();
    if (by === "visitor" && outcome === "refused") {
      const attempt = await consume(trx, { "audit:visitors": VISITOR_REFUSAL_LIMIT }, at);
      if (!attempt.ok) return;
    }
    await trx
      .insertInto("audit")
      .values({ id, at, actor: by, action, subject, outcome, network, request_id, content_hash })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ subject }))
      .execute();
  };
}

/**
 * Audits an action of many transactions with one entry, which tells how far it came wherever it is interrupted.
 * @param formatSubject formats how much is done so far.
 */
export function auditInParts(
  deps: ServiceDeps,
  actor: Actor,
  action: AuditAction,
  formatSubject: (done: number) => string,
) {
  const audit = createAudit(deps);
  const id = deps.newId();
  let done = 0;
  return {
    /** How much the committed parts have done. */
    get done(): number {
      return done;
    },

    /** Writes one part. @param work returns how much it did; with 0 or undefined there is no entry. */
    async write<Count extends number | undefined>(work: (trx: Write) => Promise<Count>): Promise<Count> {
      const count = await deps.database.write(async (trx) => {
        const count = await work(trx);
        if (count) await audit(trx, actor, { id, action, subject: formatSubject(done + count) });
        return count;
      });
      done += count ?? 0;
      return count;
    },
  };
}

export interface LatestAction {
  readonly by: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Returns the latest entry of an action for each subject that has one: the last in order of time stays in the map. */
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

/**
 * Creates the function that records a request for a page that the role does not allow (C36), once per account, page
 * and 15 minutes.
 */
export function createDenialAudit(deps: ServiceDeps) {
  const audit = createAudit(deps);
  return async (account: { accountId: string; email: string }, pathname: string, origin: Provenance) => {
    const subject = pathname.slice(0, MAX_PATH_LENGTH);
    const key = `denied:${account.accountId}`;
    await deps.database.write(async (trx) => {
      const now = deps.clock();
      if (!(await consume(trx, { [key]: PER_ACCOUNT }, now)).ok) return;
      // It is recorded already, so it does not count against PER_ACCOUNT.
      if (!(await consume(trx, { [`${key}:${subject}`]: PER_PAGE }, now)).ok) return refund(trx, key);
      const actor = { ...origin, by: account.email };
      await audit(trx, actor, { action: "deny-access", subject, outcome: "refused" });
    });
  };
}
