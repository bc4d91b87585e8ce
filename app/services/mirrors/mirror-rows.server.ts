import { sql } from "kysely";
import { getColumns, toCells } from "~/services/submissions/submission-columns";
import type { Database, Read, Write } from "~/db/database.server";
import { countUpTo, toIds } from "~/db/rows";
import type { MirrorRowsTable } from "~/db/tables/mirrors";
import { readInBatches } from "~/lib/read-in-batches";
import { sweepInChunks, sweepRows } from "~/services/sweep-in-chunks.server";
import { getFingerprint, isEmpty } from "./mirror-cells.server";
import type { MirrorRow } from "./submission-mirror";
import type { SubmissionKind } from "~/lib/form-fields";
import { TYPED_COLUMNS } from "~/lib/typed-columns";

/**
 * Queue of submissions to be copied to the mirror. `add` runs in the transaction that accepts them, so that none is
 * stored without its copy being queued. Repeated calls copy nothing twice.
 */
export interface MirrorQueue {
  add(trx: Write, kind: SubmissionKind, ids: readonly string[]): Promise<void>;
}

/** Queue for SUBMISSION_MIRROR=none: queues nothing. */
export const noMirror: MirrorQueue = { add: async () => undefined };

/** A row that was left is still there: written to its place, it would replace whoever is there now. */
const RESTORED_STATE = sql<MirrorRowsTable["state"]>`
  case when mirror_rows.state = 'left' and mirror_rows.place is not null and mirror_rows.fingerprint <> ''
  then 'written' else 'waiting' end
`;

export const mirrorQueue: MirrorQueue = {
  async add(trx, kind, ids) {
    if (ids.length === 0) return;
    const waiting = { place: null, state: "waiting", fingerprint: "", detail: "" } as const;
    await trx
      .insertInto("mirror_rows")
      .values(ids.map((id) => ({ ...waiting, id, kind })))
      // The submission was deleted and restored: the row already has its place.
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ state: RESTORED_STATE }))
      .execute();
  },
};

/**
 * Removes submissions from the queue in the transaction that deletes them, whichever mirror is or was
 * connected: rows not written yet are dropped, and written rows are queued to be emptied.
 */
export async function removeCopies(trx: Write, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom("mirror_rows").where("id", "in", ids).where("place", "is", null).execute();
  await trx.updateTable("mirror_rows").set({ state: "waiting", detail: "" }).where("id", "in", ids).execute();
}

/** Selects open rows. Literals instead of parameters, because only then is the partial index of open rows used. */
export const IS_OPEN = sql<boolean>`mirror_rows.state in ('waiting', 'writing', 'uncertain', 'refused', 'left')`;

/** States of rows that differ from what is in the mirror, or may differ. */
export const UNWRITTEN_STATES = ["waiting", "writing"] as const;

/** Selects the open rows whose submission is gone, and whose place is to be emptied. */
const IS_TO_BE_EMPTIED = sql<boolean>`(
  mirror_rows.state = 'waiting' and mirror_rows.place is not null and not exists
    (select 1 from submissions where submissions.id = mirror_rows.id and submissions.state = 'accepted')
)`;
/** Selects the open rows whose submission is gone, and that may still be in the sheet. */
const IS_REMOVED = sql<boolean>`(mirror_rows.state = 'left' or ${IS_TO_BE_EMPTIED})`;

/** Counts the open rows of a sheet in these states, up to a limit. */
export function countOpenRows(
  read: Read,
  kind: SubmissionKind,
  states: readonly MirrorRowsTable["state"][],
  limit: number,
): Promise<number> {
  const rows = read
    .selectFrom("mirror_rows")
    .select("id")
    .where("kind", "=", kind)
    .where(IS_OPEN)
    .where("state", "in", states);
  return countUpTo(limit, read, rows);
}

/** A queued row with the cells that belong at its place now. */
export interface QueuedRow {
  readonly id: string;
  readonly place: number | null;
  /**
   * Fingerprint of the row in the mirror; empty until a write of it is known to have arrived; it may be there all the
   * same.
   */
  readonly lastFingerprint: string;
  /** Fingerprint of the row as the last write sent it; empty before the first. */
  readonly sentFingerprint: string;
  /** False for a row that is to be emptied. */
  readonly isWanted: boolean;
  readonly cells: MirrorRow;
}

/** Returns the first place after all used ones. */
export async function getNextPlace(read: Read, kind: SubmissionKind): Promise<number> {
  const last = await read
    .selectFrom("mirror_rows")
    .select("place")
    .where("kind", "=", kind)
    .where("place", "is not", null)
    .orderBy("place", "desc")
    .limit(1)
    .executeTakeFirst();
  return (last?.place ?? 0) + 1;
}

/** Returns the first place that is to be emptied. */
export async function getFirstPlaceToEmpty(read: Read, kind: SubmissionKind): Promise<number | undefined> {
  const first = await read
    .selectFrom("mirror_rows")
    .select("place")
    .where("kind", "=", kind)
    .where(IS_OPEN)
    .where(IS_TO_BE_EMPTIED)
    .orderBy("place")
    .limit(1)
    .$narrowType<{ place: number }>()
    .executeTakeFirst();
  return first?.place;
}

/** Lists waiting rows with the cells they should have now, ordered by place or, without one, by arrival. */
async function listWaiting(
  trx: Write,
  kind: SubmissionKind,
  { placed, limit }: { placed: boolean; limit: number },
): Promise<QueuedRow[]> {
  const rows = await trx
    .selectFrom("mirror_rows")
    .select(["id", "place", "fingerprint as lastFingerprint", "sent_fingerprint as sentFingerprint"])
    .where("kind", "=", kind)
    .where(IS_OPEN)
    .where("state", "=", "waiting")
    .where("place", placed ? "is not" : "is", null)
    .orderBy(placed ? "place" : "id")
    .limit(limit)
    // A transaction that deletes a waiting row waits for the lock, and then queues it to be emptied.
    .forUpdate()
    .execute();
  if (rows.length === 0) return [];
  // A query of its own, after the lock: a join would read submissions as they were before.
  const wanted = await trx
    .selectFrom("submissions")
    .select(["id", "created_at", ...TYPED_COLUMNS])
    .where("id", "in", toIds(rows))
    .where("state", "=", "accepted")
    .execute();
  const submissions = new Map(wanted.map((submission) => [submission.id, submission]));
  return rows.map((row) => {
    const submission = submissions.get(row.id);
    const cells = submission ? toCells(kind, submission) : getColumns(kind).map(() => "");
    return { ...row, isWanted: submission !== undefined, cells };
  });
}

/** A row of a write without a recorded result. */
export interface RowInFlight {
  readonly id: string;
  readonly place: number;
  /** Of the row as it was sent: the submission may be corrected since. Empty after a write of an earlier version. */
  readonly sentFingerprint: string;
}

/** Lists rows of writes without a recorded result, in the order of their places. */
export const listRowsInFlight = (read: Read, kind: SubmissionKind, limit: number): Promise<RowInFlight[]> =>
  read
    .selectFrom("mirror_rows")
    .select(["id", "place", "sent_fingerprint as sentFingerprint"])
    .where("kind", "=", kind)
    .where(IS_OPEN)
    .where("state", "=", "writing")
    .where("place", "is not", null)
    .orderBy("place")
    .limit(limit)
    .$narrowType<{ place: number }>()
    .execute();

/** Rows of a sheet as they were read, from a place on. */
export interface SheetRows {
  readonly from: number;
  readonly rows: readonly MirrorRow[];
}

/**
 * Claims the next batch, at most `limit` consecutive rows in the order of their places: first rows to be updated
 * at their place, then waiting rows, which get the places after all used ones. Undefined when there is nothing to
 * write in this pass.
 * @param options.sheetRows read just before; undefined where the mirror cannot be read.
 */
export async function claimBatch(
  trx: Write,
  kind: SubmissionKind,
  {
    limit,
    isRepeatable,
    sheetRows,
  }: { limit: number; isRepeatable: boolean; sheetRows: SheetRows | undefined },
) {
  const placed = await listWaiting(trx, kind, { placed: true, limit });
  if (isRepeatable) {
    const writable = sheetRows ? await leaveMoved(trx, kind, placed, sheetRows) : placed;
    const at = writable[0]?.place;
    if (at) {
      const consecutive = writable.filter((row, index) => row.place === at + index);
      return startWrite(trx, kind, { at, rows: consecutive, isRepeatable });
    }
  } else {
    await settleUpdates(trx, placed);
  }

  const unplaced = await listWaiting(trx, kind, { placed: false, limit });
  const removed = unplaced.filter((row) => !row.isWanted);
  if (removed.length > 0) await trx.deleteFrom("mirror_rows").where("id", "in", toIds(removed)).execute();
  const rows = unplaced.filter((row) => row.isWanted);
  if (rows.length === 0) return undefined;
  return startWrite(trx, kind, { at: await getNextPlace(trx, kind), rows, isRepeatable });
}

/**
 * Returns the rows that may be written at their places. People sort sheets, and somebody else may be at a place
 * that is to be emptied: a row that is not there as it was sent is left to a person. One before the rows that were
 * read waits for the next pass.
 */
async function leaveMoved(
  trx: Write,
  kind: SubmissionKind,
  placed: readonly QueuedRow[],
  { from, rows }: SheetRows,
): Promise<QueuedRow[]> {
  const getGroup = ({ place, isWanted, lastFingerprint, sentFingerprint }: QueuedRow) => {
    if (isWanted) return "writable";
    if (place === null || place < from) return "unread";
    const cells = rows[place - from] ?? [];
    const hasNotArrived = lastFingerprint === "" && isEmpty(cells);
    const isThere = getFingerprint(kind, cells, true) === (lastFingerprint || sentFingerprint);
    return isThere || hasNotArrived ? "writable" : "moved";
  };
  const { writable = [], moved = [] } = Object.groupBy(placed, getGroup);
  if (moved.length > 0) {
    await trx.updateTable("mirror_rows").set({ state: "left" }).where("id", "in", toIds(moved)).execute();
  }
  return writable;
}

/**
 * Settles updates in an append-only mirror: restored rows are still there, and one whose write has no known result is
 * uncertain; deleted ones a person must remove.
 */
async function settleUpdates(trx: Write, rows: readonly QueuedRow[]): Promise<void> {
  const getState = ({ isWanted, lastFingerprint }: QueuedRow) => {
    if (!isWanted) return "left";
    return lastFingerprint === "" ? "uncertain" : "written";
  };
  for (const [state, some] of Map.groupBy(rows, getState)) {
    await trx.updateTable("mirror_rows").set({ state }).where("id", "in", toIds(some)).execute();
  }
}

async function startWrite(
  trx: Write,
  kind: SubmissionKind,
  { at, rows, isRepeatable }: { at: number; rows: readonly QueuedRow[]; isRepeatable: boolean },
) {
  const begun = rows.map(
    ({ id, cells }, index) => sql`(${id}, ${at + index}, ${getFingerprint(kind, cells, isRepeatable)})`,
  );
  await sql`
    update mirror_rows set state = 'writing', place = cast(begun.column2 as bigint), sent_fingerprint = begun.column3
    from (values ${sql.join(begun)}) as begun
    where id = begun.column1
  `.execute(trx);
  return { at, rows };
}

/** Records that rows are in the mirror as they were sent. A change requested since the write began stays queued. */
export async function recordWritten(trx: Write, rows: readonly { id: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .updateTable("mirror_rows")
    .set(({ ref }) => ({
      fingerprint: ref("sent_fingerprint"),
      detail: "",
      state: sql<MirrorRowsTable["state"]>`case state when 'writing' then 'written' else state end`,
    }))
    .where("id", "in", toIds(rows))
    .execute();
}

/**
 * Records that rows are not in the mirror: they are queued again or, with a refusal, wait for a decision. The
 * place of a row that was never written becomes free for what is there by then.
 * @param options.ifWriting leaves rows alone that were changed since.
 */
export async function recordUnwritten(
  trx: Write,
  rows: readonly { id: string }[],
  { refusal, ifWriting = false }: { refusal?: string; ifWriting?: boolean } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const state = refusal === undefined ? "waiting" : "refused";
  await trx
    .updateTable("mirror_rows")
    .set({
      detail: refusal ?? "",
      state: sql<MirrorRowsTable["state"]>`case state when 'writing' then ${state} else state end`,
      place: sql<number | null>`case fingerprint when '' then null else place end`,
    })
    .where("id", "in", toIds(rows))
    .$if(ifWriting, (query) => query.where("state", "=", "writing"))
    .execute();
}

/** Marks rows whose write may have succeeded; "waiting" where writing them to the same places again is safe. */
export async function markUnresolved(
  trx: Write,
  rows: readonly { id: string }[],
  state: "waiting" | "uncertain",
): Promise<void> {
  await trx
    .updateTable("mirror_rows")
    .set({ state })
    .where("id", "in", toIds(rows))
    .where("state", "=", "writing")
    .execute();
}

const BATCH_SIZE = 1000;

/** Reads the rows of a sheet that have a place, in batches, ordered by place. */
export function readPlacedRows(read: Read, kind: SubmissionKind) {
  return readInBatches(BATCH_SIZE, (last: { place: number } | undefined) =>
    read
      .selectFrom("mirror_rows")
      .select(["id", "place", "state", "fingerprint", "sent_fingerprint as sentFingerprint"])
      .where("kind", "=", kind)
      .where("place", ">", last?.place ?? 0)
      .orderBy("place")
      .limit(BATCH_SIZE)
      .$narrowType<{ place: number }>()
      .execute(),
  );
}

/**
 * Deletes the rows of a form's sheet, before another sheet is connected. Those that still have to be removed stay, as
 * left and without a place: the other sheet may be the same one, read in another way.
 */
export async function deleteSheetRows(database: Database, kind: SubmissionKind): Promise<void> {
  await sweepInChunks(database, BATCH_SIZE, async (trx) => {
    const rows = trx
      .selectFrom("mirror_rows")
      .select("id")
      .where("kind", "=", kind)
      .where(IS_OPEN)
      .where(IS_REMOVED)
      .where("place", "is not", null)
      .limit(BATCH_SIZE);
    const { numUpdatedRows } = await trx
      .updateTable("mirror_rows")
      .set({ state: "left", place: null })
      .where("id", "in", rows)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });
  const isDeletable = sql<boolean>`kind = ${kind} and state <> 'left'`;
  await sweepRows(database, { table: "mirror_rows", key: "id" }, isDeletable);
}

/** Returns those of these fingerprints that rows have whose submission is gone, and that may still be in the sheet. */
export async function findRemoved(
  trx: Write,
  kind: SubmissionKind,
  fingerprints: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom("mirror_rows")
    .select(["fingerprint", "sent_fingerprint"])
    .where("kind", "=", kind)
    .where(IS_OPEN)
    .where(IS_REMOVED)
    .where(({ or, eb }) =>
      or([eb("fingerprint", "in", fingerprints), eb("sent_fingerprint", "in", fingerprints)]),
    )
    .execute();
  return new Set(rows.flatMap((row) => [row.fingerprint, row.sent_fingerprint]));
}

/**
 * Queues every accepted submission without a row, but those imported without a mirror: at first all, later those from
 * times without a mirror.
 */
export async function queueMissing(database: Database, kind: SubmissionKind): Promise<void> {
  const batches = readInBatches(BATCH_SIZE, (last: { id: string } | undefined) =>
    database.read
      .selectFrom("submissions")
      .leftJoin("mirror_rows", "mirror_rows.id", "submissions.id")
      .select(["submissions.id", "mirror_rows.id as queued"])
      .where("submissions.kind", "=", kind)
      .where("submissions.state", "=", "accepted")
      .where("is_mirrored", "=", 1)
      .where("submissions.id", ">", last?.id ?? "")
      .orderBy("submissions.id")
      .limit(BATCH_SIZE)
      .execute(),
  );
  for await (const rows of batches) {
    const missing = rows.filter(({ queued }) => queued === null).map(({ id }) => id);
    if (missing.length > 0) await database.write((trx) => mirrorQueue.add(trx, kind, missing));
  }
}
