import type { Database, Write } from "~/db/database.server";
import { grouped } from "~/lib/format-number";
import { isUuid } from "~/lib/uuid";
import type { AuditAction, Provenance } from "~/services/audit/audit.server";
import { recordAudit, restateAudit } from "~/services/audit/audit.server";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { noMirror } from "~/services/mirrors/mirror-queue.server";
import type { MirrorQueue } from "~/services/mirrors/mirror-queue.server";
import { indexAccepted } from "~/services/search/people-index.server";
import { noOptIn } from "./opt-in";
import type { OptIn } from "./opt-in";
import { countQuarantined, newestQuarantined, quarantinedRows } from "./quarantine-rows.server";
import type { Bounds, QuarantineCount, QuarantinedSubmission } from "./quarantine-rows.server";
import { countAccepted } from "./audience-position.server";
import { addToCount, addToDays, cameAt } from "./submission-counts.server";
import { SUBMISSION_KINDS } from "./submission-kinds";

/** Rows of one write: 10 to 20 ms of the one writer there is. */
const CHUNK = 500;

/** Narrows to one form, one reason or both. */
export type QuarantineFilter = Pick<Bounds, "kind" | "reason">;

/**
 * What an operator chose: submissions one by one, or all that match as they were seen. `through` is the newest id there
 * was when the page was made, so that what arrived since is not touched.
 */
export type Chosen = { readonly ids: readonly string[] } | (QuarantineFilter & { readonly through: string });

/** Who does it, and from where. */
export interface Operator extends Provenance {
  /** The account's address. */
  readonly by: string;
}

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
    async release(chosen: Chosen, operator: Operator): Promise<number> {
      const released = await settle(chosen, "release-quarantined", operator, (trx, ids) =>
        releaseRows(trx, { optIn, mirror }, ids, clock()),
      );
      if (released > 0) optIn.wake();
      return released;
    },

    /** Deletes the chosen, their consent and their fingerprint for good. @returns how many of them still waited. */
    purge(chosen: Chosen, operator: Operator): Promise<number> {
      return settle(chosen, "purge-quarantined", operator, purgeRows);
    },
  };

  /** One audit row tells the whole deed, and is true after each of its writes. */
  async function settle(
    chosen: Chosen,
    action: AuditAction,
    { by, network, requestId }: Operator,
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
  for (const [, [first, ...others]] of Map.groupBy(admitted, ({ kind, state }) => `${kind} ${state}`)) {
    if (!first) continue;
    const { kind, state } = first;
    const moved = await trx
      .updateTable("submissions")
      .set({ state, quarantine_reason: "", admitted_at: state === "accepted" ? now : null })
      .where(
        "id",
        "in",
        [first, ...others].map(({ id }) => id),
      )
      .where("state", "=", "quarantined")
      .returning(["id", "created_at"])
      .execute();
    if (moved.length === 0) continue;
    const movedIds = moved.map(({ id }) => id);
    // Before the counts, as a signup does, so that no two wait for each other.
    if (state === "accepted") await indexAccepted(trx, movedIds);
    await addToCount(trx, { kind, state: "quarantined" }, -moved.length);
    if (state === "accepted") {
      await countAccepted(trx, kind, movedIds);
      await addToDays(trx, kind, cameAt(moved), 1);
      await mirror.add(trx, kind, movedIds);
    } else {
      await addToCount(trx, { kind, state }, moved.length);
    }
    released += moved.length;
  }
  return released;
}

/** The consent goes with its submission (on delete cascade). @returns how many waited in quarantine and are gone. */
export async function purgeRows(trx: Write, ids: readonly string[]): Promise<number> {
  let purged = 0;
  for (const kind of SUBMISSION_KINDS) {
    const rows = await trx
      .deleteFrom("submissions")
      .where("id", "in", ids)
      .where("kind", "=", kind)
      .where("state", "=", "quarantined")
      .returning("id")
      .execute();
    if (rows.length === 0) continue;
    const gone = rows.map(({ id }) => id);
    await trx.deleteFrom("submission_fingerprints").where("submission_id", "in", gone).execute();
    await addToCount(trx, { kind, state: "quarantined" }, -rows.length);
    purged += rows.length;
  }
  return purged;
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
