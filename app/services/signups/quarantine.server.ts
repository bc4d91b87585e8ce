import { sql } from "kysely";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database, Read, Write } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { SubmissionKind, SubmissionsTable } from "~/db/tables/submissions";
import { grouped } from "~/lib/format-number";
import { newestIds } from "~/lib/newest-ids";
import { isUuid } from "~/lib/uuid";
import { recordAudit, restateAudit } from "~/services/audit/audit.server";
import type { AuditAction, Actor } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { noMirror } from "~/services/mirrors/mirror-rows.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { changeState, eraseSubmissions } from "~/services/submissions/submission-states.server";
import { sweepInPieces } from "~/services/sweep-in-pieces.server";
import { noOptIn } from "./opt-in";
import type { OptIn } from "./opt-in";
import { QUARANTINE_REASONS, SUBMISSION_KINDS, TYPED_COLUMNS } from "./typed-columns";
import type { QuarantineReason, TypedSubmission } from "./typed-columns";

/** Rows of one write: 10 to 20 ms of the one writer there is. */
const CHUNK = 500;

/** Narrows to one form, one reason or both. */
export type QuarantineFilter = Pick<Bounds, "kind" | "reason">;

/**
 * What an operator chose: submissions one by one, or all that match as they were seen. `through` is the newest id there
 * was when the page was made, so that what arrived since is not touched.
 */
export type Chosen = { readonly ids: readonly string[] } | (QuarantineFilter & { readonly through: string });

/**
 * Submissions that look like a program's wait here until a person decides (product.md, "Visitors"). Release and purge go
 * in short writes; stopped half way, asking again does the rest, and asking twice changes nothing more.
 */
export function createQuarantine({
  database,
  clock,
  newId,
  optIn = noOptIn,
  mirror = noMirror,
}: {
  database: Database;
  clock: Clock;
  newId: NewId;
  /** Asks those who are let in whether the address is theirs; left out: nobody. */
  optIn?: OptIn | undefined;
  /** Left out: nothing is copied elsewhere. */
  mirror?: MirrorQueue | undefined;
}) {
  const { read } = database;

  return {
    /** How many wait; kept, not counted. */
    async waiting(): Promise<number> {
      const rows = await read
        .selectFrom("submission_counts")
        .select("count")
        .where("state", "=", "quarantined")
        .execute();
      return rows.reduce((sum, row) => sum + row.count, 0);
    },

    /** How many wait of each form for each reason; what there is none of is left out. */
    counts: (): Promise<QuarantineCount[]> => countQuarantined(read, {}),

    /** Newest first, before the given id (keyset). */
    async list(
      filter: QuarantineFilter,
      page: { before?: string | undefined; limit: number },
    ): Promise<QuarantinedSubmission[]> {
      const before = page.before && isUuid(page.before) ? page.before : undefined;
      return quarantinedRows(read, await newestQuarantined(read, { ...filter, before }, page.limit));
    },

    /** What of the chosen still waits: how many of each form, and the newest of them. */
    async lookAt(chosen: Chosen, limit: number) {
      const bounds = boundsOf(chosen);
      const [counts, newest] = await Promise.all([
        countQuarantined(read, bounds),
        newestQuarantined(read, bounds, limit),
      ]);
      return { counts, newest: await quarantinedRows(read, newest) };
    },

    /** Lets the chosen in, with the consent they came with. @returns how many of them still waited. */
    async release(chosen: Chosen, operator: Actor): Promise<number> {
      const released = await settle(chosen, "release-quarantined", operator, (trx, ids) =>
        releaseRows(trx, { optIn, mirror }, ids, clock()),
      );
      if (released > 0) optIn.wake();
      return released;
    },

    /** Deletes the chosen, their consent and their fingerprint for good. @returns how many of them still waited. */
    purge(chosen: Chosen, operator: Actor): Promise<number> {
      return settle(chosen, "purge-quarantined", operator, (trx, ids) =>
        eraseSubmissions(trx, ids, "quarantined"),
      );
    },
  };

  /** One audit row tells the whole action, and is true after each of its writes. */
  async function settle(
    chosen: Chosen,
    action: AuditAction,
    { by, network, requestId }: Actor,
    work: (trx: Write, ids: readonly string[]) => Promise<number>,
  ): Promise<number> {
    const entry = { id: newId(), at: clock(), actor: by, action, outcome: "ok", network, requestId } as const;
    let settled = 0;
    for await (const ids of chunksOf(chosen)) {
      settled += await database.write(async (trx) => {
        const changed = await work(trx, ids);
        const subject = describe(chosen, settled + changed);
        if (settled > 0) await restateAudit(trx, entry.id, subject);
        else if (changed > 0) await recordAudit(trx, { ...entry, subject });
        return changed;
      });
    }
    return settled;
  }

  /** Ids of the chosen that wait, piece by piece, newest first. */
  async function* chunksOf(chosen: Chosen): AsyncGenerator<string[]> {
    const bounds = boundsOf(chosen);
    for (let before: string | undefined; ;) {
      const ids = await newestQuarantined(read, { ...bounds, before }, CHUNK);
      if (ids.length > 0) yield ids;
      if (ids.length < CHUNK) return;
      before = ids.at(-1);
    }
  }
}

/**
 * Lets in those of these that still wait: another operator may have been quicker. Whoever must confirm their address
 * first is only on the way in.
 */
async function releaseRows(
  trx: Write,
  { optIn, mirror }: { optIn: OptIn; mirror: MirrorQueue },
  ids: readonly string[],
  now: number,
): Promise<number> {
  const waiting = await trx
    .selectFrom("submissions")
    .select(["id", "kind", "email", "email_key"])
    .where("id", "in", ids)
    .where("state", "=", "quarantined")
    .execute();
  const admitted = [];
  for (const row of waiting) admitted.push({ ...row, ...(await optIn.admit(trx, row, now)) });

  let released = 0;
  for (const [, group] of Map.groupBy(admitted, ({ kind, state }) => `${kind} ${state}`)) {
    const [{ kind, state: to }] = group as [(typeof group)[number]];
    released += await changeState(
      trx,
      group.map(({ id }) => id),
      {
        kind,
        from: "quarantined",
        to,
        set: { quarantine_reason: "", admitted_at: to === "accepted" ? now : null },
      },
      mirror,
    );
  }
  return released;
}

/** What came in a URL or a form is asked before the database is. */
function boundsOf(chosen: Chosen): Bounds {
  if ("ids" in chosen) return { ids: [...new Set(chosen.ids.filter(isUuid))] };
  return isUuid(chosen.through) ? chosen : { ids: [] };
}

/** "3 submissions", "2300 submissions, all of early-access for honeypot": what the audit says it was done to. */
function describe(chosen: Chosen, count: number): string {
  const many = `${grouped(count)} ${count === 1 ? "submission" : "submissions"}`;
  if ("ids" in chosen) return many;
  const of = chosen.kind ? ` of ${chosen.kind}` : "";
  const reason = chosen.reason ? ` for ${chosen.reason}` : "";
  return `${many}, all${of}${reason}`;
}

/** Which of the submissions in quarantine; without any bound, all of them. */
export interface Bounds {
  readonly kind?: SubmissionKind | undefined;
  readonly reason?: QuarantineReason | undefined;
  /** These alone. */
  readonly ids?: readonly string[] | undefined;
  /** This one and older. */
  readonly through?: string | undefined;
  /** Older than this one. */
  readonly before?: string | undefined;
}

export interface QuarantineCount {
  readonly kind: SubmissionKind;
  readonly reason: QuarantineReason;
  readonly count: number;
}

export type QuarantinedSubmission = TypedSubmission &
  Pick<SubmissionsTable, "id" | "kind"> & { reason: SubmissionsTable["quarantine_reason"] };

/** Written out, not bound: only so does SQLite use the partial index `submissions_quarantine`. */
const IS_QUARANTINED = sql<boolean>`state = 'quarantined'`;

/**
 * Ids, newest first. The index is ordered by id within a reason and a form, so that more than one of them are merged from
 * a piece of each: as quick with a hundred thousand waiting, whichever of them match, as with ten.
 */
export async function newestQuarantined(read: Read, bounds: Bounds, limit: number): Promise<string[]> {
  const reasons = bounds.reason ? [bounds.reason] : QUARANTINE_REASONS;
  const kinds = bounds.kind ? [bounds.kind] : SUBMISSION_KINDS;
  const pieces = await Promise.all(
    reasons.flatMap((reason) =>
      kinds.map((kind) =>
        read
          .selectFrom("submissions")
          .select("id")
          .where(isWithin({ ...bounds, reason, kind }))
          .orderBy("id", "desc")
          .limit(limit)
          .execute(),
      ),
    ),
  );
  const ids = pieces.flat().map(({ id }) => id);
  return newestIds(ids, limit);
}

/** The submissions with these ids that still wait, newest first. */
export async function quarantinedRows(read: Read, ids: readonly string[]): Promise<QuarantinedSubmission[]> {
  if (ids.length === 0) return [];
  return read
    .selectFrom("submissions")
    .select(["id", "kind", "quarantine_reason as reason", "created_at", ...TYPED_COLUMNS])
    .where("id", "in", ids)
    .where("state", "=", "quarantined")
    .orderBy("id", "desc")
    .execute();
}

/** From the index alone: 10 ms for 100,000 on SQLite. */
export async function countQuarantined(read: Read, bounds: Bounds): Promise<QuarantineCount[]> {
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

function isWithin({ kind, reason, ids, through, before }: Bounds) {
  return (row: ExpressionBuilder<Tables, "submissions">): Expression<SqlBool> =>
    row.and([
      IS_QUARANTINED,
      ...(kind ? [row("kind", "=", kind)] : []),
      ...(reason ? [row("quarantine_reason", "=", reason)] : []),
      ...(ids ? [ids.length > 0 ? row("id", "in", ids) : sql<boolean>`1 = 0`] : []),
      ...(through ? [row("id", "<=", through)] : []),
      ...(before ? [row("id", "<", before)] : []),
    ]);
}

/** Of each form: more than anybody looks through, and some 100 MB. */
export const QUARANTINED_AT_MOST = 100_000;

/** Purges what waits longest in quarantine where more does than anybody will look through, in pieces (hardening R36). */
export async function sweepQuarantine(database: Database, atMost = QUARANTINED_AT_MOST): Promise<void> {
  for (const kind of SUBMISSION_KINDS) {
    await sweepInPieces(database, CHUNK, async (trx) => {
      const row = await trx
        .selectFrom("submission_counts")
        .select("count")
        .where("kind", "=", kind)
        .where("state", "=", "quarantined")
        .executeTakeFirst();
      const oldest = await trx
        .selectFrom("submissions")
        .select("id")
        .where("kind", "=", kind)
        .where("state", "=", "quarantined")
        .orderBy("id")
        .limit(Math.min(CHUNK, Math.max(0, (row?.count ?? 0) - atMost)))
        .execute();
      const ids = oldest.map(({ id }) => id);
      return { numDeletedRows: BigInt(await eraseSubmissions(trx, ids, "quarantined")) };
    });
  }
}
