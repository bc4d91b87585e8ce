import { sql, type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import type { Database, Read, Write } from "~/db/database.server";
import { fetchIds, fetchPage } from "~/db/rows";
import type { Tables } from "~/db/tables";
import { days } from "~/lib/durations";
import { formatCount } from "~/lib/format-number";
import { takePage, toKnownPage, type ListPage } from "~/lib/list-page";
import { readInBatches } from "~/lib/read-in-batches";
import { isUuid } from "~/lib/uuid";
import { recordAlert } from "~/services/alerts/record-alert.server";
import type { AuditAction } from "~/services/audit/actions";
import { auditInParts, type Actor } from "~/services/audit/audit.server";
import { noAutomaticEmails } from "~/services/automatic/automatic-queue.server";
import { noMirror } from "~/services/mirrors/mirror-rows.server";
import {
  changeState,
  countByKind,
  countInState,
  eraseSubmissions,
} from "~/services/submissions/submission-states.server";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";
import { noOptIn, type SignupsDeps } from "./signups.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { TYPED_COLUMNS } from "~/lib/typed-columns";
import { QUARANTINE_REASONS, type QuarantineReason } from "~/lib/quarantine-reasons";

/** Rows per transaction: 10 to 20 ms of the single writer. */
const CHUNK = 500;

/** Time in which an automatic email still answers a form. */
const ANSWERED_WITHIN_MS = days(7);

/** Bounds of a query over the quarantine; without any, all of it. */
interface Bounds {
  readonly kind?: SubmissionKind | undefined;
  readonly reason?: QuarantineReason | undefined;
  readonly ids?: readonly string[] | undefined;
  /** This id and older ones. */
  readonly through?: string | undefined;
}

type QuarantineFilter = Pick<Bounds, "kind" | "reason">;

/**
 * Selection of an operator: single submissions, or all that match the filter as displayed. `through` is the newest
 * id at the time the page was rendered, so that later submissions are not affected.
 */
type QuarantineSelection =
  { readonly ids: readonly string[] } | (QuarantineFilter & { readonly through: string });

/** How many submissions an action changed, and how many of these wait for a confirmation now. */
interface Processed {
  readonly count: number;
  readonly unconfirmed: number;
}

/**
 * Holds submissions that look automated until a person decides (hardening C27). Release and purge work in
 * short transactions; when interrupted, a repeated call does the rest, and any further call changes nothing.
 */
export function createQuarantine(deps: Omit<SignupsDeps, "stamps">) {
  const { clock, optIn = noOptIn, automatic = noAutomaticEmails, mirror = noMirror } = deps;
  const { read } = deps.database;

  return {
    /** Counts the quarantined submissions, from a stored counter. */
    count: () => countInState(read, "quarantined"),

    /** Counts the quarantined submissions of each form by reason; combinations without any are left out. */
    counts: () => countQuarantined(read, {}),

    /** Lists submissions newest first. */
    list: (filter: QuarantineFilter, page: ListPage) => listQuarantined(read, filter, page),

    /** Previews the selection: the count by form of what is still quarantined, and the newest of it. */
    async preview(selection: QuarantineSelection, limit: number) {
      const bounds = toBounds(selection);
      const [counts, newest] = await Promise.all([
        countQuarantined(read, bounds),
        listQuarantined(read, bounds, { limit }),
      ]);
      return { counts, newest };
    },

    /**
     * Releases the selection, with the stored consents.
     * @returns how many submissions were still quarantined, and how many of these are unconfirmed now.
     */
    async release(selection: QuarantineSelection, actor: Actor) {
      const released = await processSelection(selection, "release-quarantined", actor, releaseRows);
      if (released.count > 0) optIn.wake();
      return released;
    },

    /** Deletes the selection for good. @returns how many submissions were still quarantined. */
    async purge(selection: QuarantineSelection, actor: Actor): Promise<number> {
      const purged = await processSelection(selection, "purge-quarantined", actor, async (trx, ids) => ({
        count: await eraseSubmissions(trx, ids, "quarantined"),
        unconfirmed: 0,
      }));
      return purged.count;
    },
  };

  /** Releases those that are still quarantined; those that need a confirmation become unconfirmed. */
  async function releaseRows(trx: Write, ids: readonly string[]): Promise<Processed> {
    const now = clock();
    const quarantined = await trx
      .selectFrom("submissions")
      .select(["id", "kind", "email", "email_key", "created_at", "notify"])
      .where("id", "in", ids)
      .where("state", "=", "quarantined")
      .orderBy("id")
      // The lock makes a concurrent purge wait: otherwise somebody whose submission it deletes would get an email.
      .forUpdate()
      .execute();
    const admitted = [];
    for (const row of quarantined) {
      const notify = row.notify === 1 && row.created_at > now - ANSWERED_WITHIN_MS ? 1 : 0;
      admitted.push({ ...row, notify, ...(await optIn.admit(trx, row, now)) } as const);
    }

    const released = { count: 0, unconfirmed: 0 };
    const groups = Map.groupBy(admitted, ({ kind, state, notify }) => `${kind} ${state} ${notify}`);
    for (const [, group] of groups) {
      const [{ kind, state: to, notify }] = group as [(typeof group)[number]];
      const ids = group.map(({ id }) => id);
      const set = { quarantine_reason: "", admitted_at: to === "accepted" ? now : null, notify } as const;
      const moved = await changeState(trx, ids, { kind, from: "quarantined", to, set }, mirror);
      if (to === "accepted" && notify === 1) await automatic.add(trx, group);
      if (kind === "contact-form" && to === "accepted" && moved > 0) {
        await recordAlert(trx, { event: "inquiry", at: now, count: moved });
      }
      released.count += moved;
      if (to === "unconfirmed") released.unconfirmed += moved;
    }
    return released;
  }

  /** Processes the selection in chunks, newest first. One audit entry describes the whole action. */
  async function processSelection(
    selection: QuarantineSelection,
    action: AuditAction,
    actor: Actor,
    work: (trx: Write, ids: readonly string[]) => Promise<Processed>,
  ): Promise<Processed> {
    const bounds = toBounds(selection);
    const parts = auditInParts(deps, actor, action, (count) => formatSubject(selection, count));
    const chunks = readInBatches(CHUNK, (before: string | undefined) =>
      listQuarantinedIds(read, bounds, { before, limit: CHUNK }),
    );
    let unconfirmed = 0;
    for await (const ids of chunks) {
      let more = 0;
      await parts.write(async (trx) => {
        const processed = await work(trx, ids);
        // Set and not added: after a conflict the work runs again.
        more = processed.unconfirmed;
        return processed.count;
      });
      unconfirmed += more;
    }
    return { count: parts.done, unconfirmed };
  }
}

/** Validates ids from a URL or a form before the database is asked. */
function toBounds(selection: QuarantineSelection): Bounds {
  if ("ids" in selection) return { ids: [...new Set(selection.ids.filter(isUuid))] };
  return isUuid(selection.through) ? selection : { ids: [] };
}

/** Formats the subject of the audit entry: "3 submissions", "2,300 submissions, all of early-access for honeypot". */
function formatSubject(selection: QuarantineSelection, count: number): string {
  const many = formatCount(count, "submission");
  if ("ids" in selection) return many;
  const of = selection.kind ? ` of ${selection.kind}` : "";
  const reason = selection.reason ? ` for ${selection.reason}` : "";
  return `${many}, all${of}${reason}`;
}

/** Literal and not a parameter: otherwise SQLite does not use the partial index `submissions_quarantine`. */
const IS_QUARANTINED = sql<boolean>`state = 'quarantined'`;

/**
 * Lists ids, newest first. The index is ordered by id within a reason and a form, so several of them are merged from
 * one limited query each: as fast with a hundred thousand rows in quarantine as with ten, whichever of them match.
 */
async function listQuarantinedIds(read: Read, bounds: Bounds, page: ListPage): Promise<string[]> {
  const reasons = bounds.reason ? [bounds.reason] : QUARANTINE_REASONS;
  const kinds = bounds.kind ? [bounds.kind] : SUBMISSION_KINDS;
  const pieces = await Promise.all(
    reasons.flatMap((reason) =>
      kinds.map((kind) => {
        const matching = read
          .selectFrom("submissions")
          .select("id")
          .where(isWithin({ ...bounds, reason, kind }));
        return fetchPage(matching, page);
      }),
    ),
  );
  const ids = pieces.flat().map(({ id }) => id);
  return takePage(ids, toKnownPage(page));
}

async function listQuarantined(read: Read, bounds: Bounds, page: ListPage) {
  const ids = await listQuarantinedIds(read, bounds, page);
  if (ids.length === 0) return [];
  return read
    .selectFrom("submissions")
    .select(["id", "kind", "quarantine_reason as reason", "created_at", ...TYPED_COLUMNS])
    .where("id", "in", ids)
    .where("state", "=", "quarantined")
    .orderBy("id", "desc")
    .execute();
}

/** Counts from the index alone: 10 ms for 100,000 rows on SQLite. */
async function countQuarantined(read: Read, bounds: Bounds) {
  const rows = await read
    .selectFrom("submissions")
    .select(({ fn }) => ["kind", "quarantine_reason", fn.countAll<number>().as("count")])
    .where(isWithin(bounds))
    .groupBy(["quarantine_reason", "kind"])
    .execute();
  return QUARANTINE_REASONS.flatMap((reason) =>
    rows.flatMap((row) =>
      row.quarantine_reason === reason ? { kind: row.kind, reason, count: row.count } : [],
    ),
  );
}

function isWithin({ kind, reason, ids, through }: Bounds) {
  return (row: ExpressionBuilder<Tables, "submissions">): Expression<SqlBool> =>
    row.and([
      IS_QUARANTINED,
      ...(kind ? [row("kind", "=", kind)] : []),
      ...(reason ? [row("quarantine_reason", "=", reason)] : []),
      ...(ids ? [ids.length > 0 ? row("id", "in", ids) : sql<boolean>`1 = 0`] : []),
      ...(through ? [row("id", "<=", through)] : []),
    ]);
}

/** Quarantine limit of each form: more than anybody reviews, and some 100 MB. */
const MAX_QUARANTINED = 100_000;

/** Purges the oldest quarantined submissions above the limit, in chunks (hardening R36). */
export async function sweepQuarantine(database: Database, atMost = MAX_QUARANTINED): Promise<void> {
  for (const kind of SUBMISSION_KINDS) {
    await sweepInChunks(database, CHUNK, async (trx) => {
      const { [kind]: count } = await countByKind(trx, "quarantined");
      const oldest = trx
        .selectFrom("submissions")
        .select("id")
        .where("kind", "=", kind)
        .where("state", "=", "quarantined")
        .orderBy("id")
        .limit(Math.min(CHUNK, Math.max(0, count - atMost)));
      return eraseSubmissions(trx, await fetchIds(oldest), "quarantined");
    });
  }
}
