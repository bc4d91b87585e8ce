import { readInBatches } from "~/lib/read-in-batches";
import type { Write, Database, Read } from "~/db/database.server";
import type { MirrorRowsTable } from "~/db/tables/mirrors";
import type { SubmissionKind } from "~/db/tables/submissions";

import { sql } from "kysely";
import { TYPED_COLUMNS } from "~/services/signups/typed-columns";
import { cellsOf, fingerprintOf } from "./mirror-cells.server";
import type { MirrorRow } from "./submission-mirror";

/**
 * What is to be copied elsewhere.
 *
 * Contract
 * - `add` is called in the transaction that makes submissions accepted, so that none is stored without its copy being owed.
 *   Asked again, nothing is copied twice.
 */
export interface MirrorQueue {
  add(trx: Write, kind: SubmissionKind, ids: readonly string[]): Promise<void>;
}

/** SUBMISSION_MIRROR=none: nothing is owed. */
export const noMirror: MirrorQueue = { add: async () => undefined };

export const mirrorQueue: MirrorQueue = {
  async add(trx, kind, ids) {
    if (ids.length === 0) return;
    const rows = ids.map((id): MirrorRowsTable => ({ ...NEW, id, kind }));
    await trx
      .insertInto("mirror_rows")
      .values(rows)
      // Its submission was deleted and came back: the row has its place already.
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ state: "waiting" }))
      .execute();
  },
};

const NEW = { place: null, state: "waiting", fingerprint: "", detail: "" } as const;

/**
 * In the transaction that takes submissions out of sight, whatever mirror there is or was: what was not written is not
 * written any more, and what was is to be emptied.
 */
export async function forgetCopies(trx: Write, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom("mirror_rows").where("id", "in", ids).where("place", "is", null).execute();
  await trx.updateTable("mirror_rows").set({ state: "waiting", detail: "" }).where("id", "in", ids).execute();
}

/** Written out, not bound: only so is the partial index of what is not done with used. */
export const IS_OPEN = sql<boolean>`mirror_rows.state in ('waiting', 'writing', 'uncertain', 'refused', 'left')`;

/** A row with what should stand at its place now. */
export interface OwedRow {
  readonly id: string;
  readonly place: number | null;
  /** Of what stands there; empty when nothing of ours ever did. */
  readonly stood: string;
  /** False for one that is to be emptied. */
  readonly isWanted: boolean;
  readonly cells: MirrorRow;
}

/** Rows of one write, in the order of their places. */
export interface Batch {
  readonly at: number;
  readonly rows: readonly OwedRow[];
}

/** The first place after all that are taken. */
export async function nextPlace(read: Read, kind: SubmissionKind): Promise<number> {
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

/** Ids of rows in this state: with a place in its order, without one in the order they came in. */
async function idsInState(
  trx: Read,
  kind: SubmissionKind,
  of: { state: "waiting" | "writing"; placed: boolean; limit: number; locked: boolean },
): Promise<string[]> {
  const rows = await trx
    .selectFrom("mirror_rows")
    .select("id")
    .where("kind", "=", kind)
    .where(IS_OPEN)
    .where("state", "=", of.state)
    .where("place", of.placed ? "is not" : "is", null)
    .orderBy(of.placed ? "place" : "id")
    .limit(of.limit)
    // Whoever deletes one of them waits, and then has it emptied again.
    .$if(of.locked, (query) => query.forUpdate())
    .execute();
  return rows.map(({ id }) => id);
}

/** These rows in the order of their ids, as they should stand now. */
async function owedRows(read: Read, kind: SubmissionKind, ids: readonly string[]): Promise<OwedRow[]> {
  if (ids.length === 0) return [];
  const rows = await read
    .selectFrom("mirror_rows")
    .select(["id", "place", "fingerprint as stood"])
    .where("id", "in", ids)
    .execute();
  const wanted = await read
    .selectFrom("submissions")
    .select(["id", "created_at", ...TYPED_COLUMNS])
    .where("id", "in", ids)
    .where("state", "=", "accepted")
    .execute();
  const submissions = new Map(wanted.map((submission) => [submission.id, submission]));
  const owed = rows.map((row): OwedRow => {
    const submission = submissions.get(row.id);
    return { ...row, isWanted: submission !== undefined, cells: cellsOf(kind, submission) };
  });
  const order = new Map(ids.map((id, index) => [id, index]));
  return owed.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

/** Rows of a write that nobody recorded the end of, in the order of their places. */
export async function rowsInFlight(read: Read, kind: SubmissionKind, limit: number): Promise<OwedRow[]> {
  const which = { state: "writing", placed: true, limit, locked: false } as const;
  return owedRows(read, kind, await idsInState(read, kind, which));
}

/**
 * Takes what is written next, at most `limit` rows that follow one another: first what is to change where it stands, then
 * the next that wait, which get the places after all that are taken. Undefined when nothing waits.
 */
export async function takeBatch(
  trx: Write,
  kind: SubmissionKind,
  of: { dialect: Database["dialect"]; limit: number; isRepeatable: boolean },
): Promise<Batch | undefined> {
  const { limit } = of;
  // SQLite has one writer, and no such lock.
  const locked = of.dialect === "postgres";
  const waiting = async (placed: boolean) =>
    owedRows(trx, kind, await idsInState(trx, kind, { state: "waiting", placed, limit, locked }));
  const placed = await waiting(true);
  const at = placed[0]?.place;
  if (at && of.isRepeatable) {
    return begin(
      trx,
      at,
      placed.filter((row, index) => row.place === at + index),
    );
  }
  await acceptAsItStands(trx, placed);

  const unplaced = await waiting(false);
  const gone = unplaced.filter((row) => !row.isWanted).map(({ id }) => id);
  if (gone.length > 0) await trx.deleteFrom("mirror_rows").where("id", "in", gone).execute();
  const rows = unplaced.filter((row) => row.isWanted);
  return rows.length > 0 ? begin(trx, await nextPlace(trx, kind), rows) : undefined;
}

/** Of a mirror that only takes more rows: what came back stands there still, and what went only a person can take away. */
async function acceptAsItStands(trx: Write, rows: readonly OwedRow[]): Promise<void> {
  const stateOf = ({ isWanted, stood }: OwedRow) => {
    if (!isWanted) return "left";
    return stood === "" ? "uncertain" : "written";
  };
  for (const [state, some] of Map.groupBy(rows, stateOf)) {
    await trx.updateTable("mirror_rows").set({ state }).where("id", "in", idsOf(some)).execute();
  }
}

async function begin(trx: Write, at: number, rows: readonly OwedRow[]): Promise<Batch> {
  const placed = rows.map((row, index) => ({ ...row, place: at + index }));
  await sql`
    update mirror_rows set state = 'writing', place = cast(begun.column2 as bigint)
    from (values ${sql.join(placed.map(({ id, place }) => sql`(${id}, ${place})`))}) as begun
    where id = begun.column1
  `.execute(trx);
  return { at, rows: placed };
}

/** They stand there. What was asked of one of them since its write began is still to be done. */
export async function recordSheetStatus(
  trx: Write,
  kind: SubmissionKind,
  rows: readonly OwedRow[],
  timed: boolean,
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ id, cells }) => sql`(${id}, ${fingerprintOf(kind, cells, timed)})`);
  await sql`
    update mirror_rows set fingerprint = stood.column2, detail = '',
      state = case state when 'writing' then 'written' else state end
    from (values ${sql.join(values)}) as stood
    where id = stood.column1
  `.execute(trx);
}

/**
 * They wait again; where nothing of ours ever stood, the place is free for whatever stands there by then.
 * @param ifWriting leaves those alone that something else was asked of since.
 */
export async function giveBack(
  trx: Write,
  rows: readonly OwedRow[],
  { ifWriting = false } = {},
): Promise<void> {
  await settle(trx, rows, { state: "waiting", detail: "", ifWriting });
}

/** Ends the write of rows that do not stand there. */
export async function settle(
  trx: Write,
  rows: readonly OwedRow[],
  end: { state: "waiting" | "refused"; detail: string; ifWriting?: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .updateTable("mirror_rows")
    .set({
      detail: end.detail,
      state: sql<MirrorRowsTable["state"]>`case state when 'writing' then ${end.state} else state end`,
      place: sql<number | null>`case fingerprint when '' then null else place end`,
    })
    .where("id", "in", idsOf(rows))
    .$if(end.ifWriting === true, (query) => query.where("state", "=", "writing"))
    .execute();
}

/** Nobody can say whether they stand there, or whether they may be written at the same places once more. */
export async function leaveOpen(
  trx: Write,
  rows: readonly OwedRow[],
  state: "waiting" | "uncertain",
): Promise<void> {
  await trx
    .updateTable("mirror_rows")
    .set({ state })
    .where("id", "in", idsOf(rows))
    .where("state", "=", "writing")
    .execute();
}

const idsOf = (rows: readonly OwedRow[]): string[] => rows.map(({ id }) => id);

/** The rows of a sheet that have a place, a piece at a time, in the order of the places. */
export function placedRows(read: Read, kind: SubmissionKind) {
  return readInBatches(PIECE, (last: { place: number } | undefined) =>
    read
      .selectFrom("mirror_rows")
      .select(["id", "place", "state", "fingerprint"])
      .where("kind", "=", kind)
      .where("place", ">", last?.place ?? 0)
      .orderBy("place")
      .limit(PIECE)
      .$narrowType<{ place: number }>()
      .execute(),
  );
}

const PIECE = 1000;

/** Forgets what was known of a sheet, for another one. */
export async function forgetSheet(database: Database, kind: SubmissionKind): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await database.write((trx) =>
      trx
        .deleteFrom("mirror_rows")
        .where("id", "in", (db) =>
          db.selectFrom("mirror_rows").select("id").where("kind", "=", kind).limit(PIECE),
        )
        .executeTakeFirstOrThrow(),
    );
    if (numDeletedRows < PIECE) return;
  }
}

/** Queues every accepted submission that has no row here: all of them at first, later those of a time without mirror. */
export async function queueMissing(
  database: Database,
  kind: SubmissionKind,
  add: (trx: Write, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const batches = readInBatches(PIECE, (last: { id: string } | undefined) =>
    database.read
      .selectFrom("submissions")
      .leftJoin("mirror_rows", "mirror_rows.id", "submissions.id")
      .select(["submissions.id", "mirror_rows.id as queued"])
      .where("submissions.kind", "=", kind)
      .where("submissions.state", "=", "accepted")
      .where("submissions.id", ">", last?.id ?? "")
      .orderBy("submissions.id")
      .limit(PIECE)
      .execute(),
  );
  for await (const rows of batches) {
    const missing = rows.filter(({ queued }) => queued === null).map(({ id }) => id);
    if (missing.length > 0) await database.write((trx) => add(trx, missing));
  }
}
