import type { Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import type { DeletionsTable } from "~/db/tables/submissions";
import { minutes } from "~/lib/durations";
import { formatCount } from "~/lib/format-number";
import { readInBatches } from "~/lib/read-in-batches";
import { isUuid } from "~/lib/uuid";
import { auditInParts, type Actor } from "~/services/audit/audit.server";
import { noMirror, type MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import type { ServiceDeps } from "~/services/service-deps";
import { sweepInChunks } from "~/services/sweep-in-chunks.server";
import { NEWEST_FIRST, type SubmissionFilter } from "./submission-filter";
import { changeState, eraseSubmissions, takeFromDeletion } from "./submission-states.server";
import type { Submissions } from "./submissions.server";
import type { SubmissionKind } from "~/lib/form-fields";

/** Time within which a deletion can be undone. */
export const UNDO_MS = minutes(10);
/** Rows per transaction: 10 to 20 ms of the single writer. */
const CHUNK = 500;

/** Single submissions of a form, or all that match the filter as displayed. */
type DeletionSelection =
  | { readonly kind: SubmissionKind; readonly ids: readonly string[] }
  | (SubmissionFilter & { readonly through: number });

interface DeletionsDeps extends ServiceDeps {
  readonly submissions: Pick<Submissions, "ids">;
  /** Left out: nothing is mirrored. */
  readonly mirror?: MirrorQueue | undefined;
}

/**
 * Deletes submissions, and restores them for a while. A deleted submission is no longer `accepted`, and so
 * disappears at once from tables, counts, recipient groups, search and mirrors. Everything works in short
 * transactions: when interrupted, the part done so far is recorded and can be undone.
 */
export function createDeletions(deps: DeletionsDeps) {
  const { database, submissions, clock, newId, mirror = noMirror } = deps;
  const { read } = database;
  const since = () => clock() - UNDO_MS;

  return {
    /** Deletes the selection. @returns the deletion's id, or undefined when none of it existed any more. */
    async delete(selection: DeletionSelection, actor: Actor): Promise<string | undefined> {
      const { kind } = selection;
      const id = newId();
      const parts = auditInParts(deps, actor, "delete-submissions", (count) => formatSubject(count, kind));
      for await (const ids of readChunks(selection)) {
        await parts.write((trx) => hideChunk(trx, { id, kind, by: actor.by, at: clock() }, ids));
      }
      return parts.done > 0 ? id : undefined;
    },

    /** Restores a deletion. @returns how many submissions were restored; 0 when it expired or was undone before. */
    async undo(id: string, actor: Actor): Promise<number> {
      if (!isUuid(id)) return 0;
      const deletion = await read
        .selectFrom("deletions")
        .select(["id", "kind"])
        .where("id", "=", id)
        .executeTakeFirst();
      if (!deletion) return 0;
      const parts = auditInParts(deps, actor, "restore-submissions", (count) =>
        formatSubject(count, deletion.kind),
      );
      for (;;) {
        const count = await parts.write(async (trx) => {
          // Extends the deletion: restoring it may take longer than the time left.
          const { numUpdatedRows } = await trx
            .updateTable("deletions")
            .set({ deleted_at: clock() })
            .where("id", "=", id)
            .where("deleted_at", ">", since())
            .executeTakeFirst();
          return numUpdatedRows === 0n ? 0 : restoreChunk(trx, mirror, deletion);
        });
        if (count === 0) return parts.done;
      }
    },

    /** Lists the deletions of a form that can still be undone, latest first. */
    recent: (kind: SubmissionKind) =>
      read
        .selectFrom("deletions")
        .selectAll()
        .where("kind", "=", kind)
        .where("deleted_at", ">", since())
        .orderBy("id", "desc")
        .execute(),

    /** Erases for good what can no longer be undone. */
    async sweep(): Promise<void> {
      const expiredAt = since();
      const deletions = await read
        .selectFrom("deletions")
        .select("id")
        .where("deleted_at", "<=", expiredAt)
        .execute();
      for (const { id } of deletions) {
        await sweepInChunks(database, CHUNK, (trx) => eraseChunk(trx, id, expiredAt));
        await database.write((trx) =>
          trx.deleteFrom("deletions").where("id", "=", id).where("deleted_at", "<=", expiredAt).execute(),
        );
      }
    },
  };

  async function* readChunks(selection: DeletionSelection): AsyncGenerator<readonly string[]> {
    if ("ids" in selection) {
      const ids = [...new Set(selection.ids.filter(isUuid))];
      for (let at = 0; at < ids.length; at += CHUNK) yield ids.slice(at, at + CHUNK);
      return;
    }
    yield* readInBatches(CHUNK, async (before: string | undefined) => {
      const { ids } = await submissions.ids(selection, { order: NEWEST_FIRST, before, limit: CHUNK });
      return ids;
    });
  }
}

type Deletion = Pick<DeletionsTable, "id" | "kind">;

async function hideChunk(
  trx: Write,
  { id, kind, by, at }: Deletion & { by: string; at: number },
  ids: readonly string[],
): Promise<number> {
  const change = { kind, from: "accepted", to: "deleted", set: { deletion_id: id } } as const;
  const count = await changeState(trx, ids, change);
  if (count === 0) return 0;
  await trx
    .insertInto("deletions")
    .values({ id, kind, deleted_by: by, deleted_at: at, count })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((row) => ({ deleted_at: at, count: row("deletions.count", "+", count) })),
    )
    .execute();
  return count;
}

/** Restores the next chunk; with the last one the deletion is removed. */
async function restoreChunk(trx: Write, mirror: MirrorQueue, { id, kind }: Deletion): Promise<number> {
  const change = { kind, from: "deleted", to: "accepted", set: { deletion_id: null } } as const;
  const count = await changeState(trx, await listDeleted(trx, id), change, mirror);
  await takeFromDeletion(trx, id, count);
  return count;
}

function listDeleted(trx: Write, id: string): Promise<string[]> {
  return fetchIds(trx.selectFrom("submissions").select("id").where("deletion_id", "=", id).limit(CHUNK));
}

/** Erases a chunk of a deletion, unless an undo that began in time has extended it. */
async function eraseChunk(trx: Write, id: string, expiredAt: number): Promise<number> {
  const expired = await trx
    .selectFrom("deletions")
    .select("id")
    .where("id", "=", id)
    .where("deleted_at", "<=", expiredAt)
    .forUpdate()
    .executeTakeFirst();
  return expired ? eraseSubmissions(trx, await listDeleted(trx, id), "deleted") : 0;
}

/** Formats the subject of the audit entry: "3 submissions of early-access". */
function formatSubject(count: number, kind: SubmissionKind): string {
  return `${formatCount(count, "submission")} of ${kind}`;
}
