import type { Database } from "~/db/database.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import type { Clock } from "~/services/clock";
import type { NewId } from "~/services/ids.server";
import { nextPlace, placedRows } from "./mirror-books.server";
import { fingerprintOf, isEmpty } from "./mirror-cells.server";
import { countUnknown, takeOne } from "./mirror-standing.server";
import type { MirrorRow, MirrorTrouble, SubmissionMirror } from "./submission-mirror";
import type { FoundRow } from "./taking-over.server";
import { takeOver } from "./taking-over.server";

interface Has {
  readonly database: Database;
  readonly mirror: SubmissionMirror;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timed: boolean;
}

/** What a comparison found. */
interface Comparison {
  /** Ids of our rows that do not stand there as they were written. */
  readonly drifted: readonly string[];
  /** Rows that are not ours. */
  readonly found: readonly FoundRow[];
  /** Rows that stand where ours belong: taken over only when ours are to come back. */
  readonly inOurPlaces: readonly FoundRow[];
}

/**
 * Reads all of a sheet, takes over what people wrote below our rows, and counts our rows that were changed or are gone. A
 * repair queues those again; what stands in their places and is nobody known is taken over first, so that nobody is lost.
 */
export async function checkSheet(
  has: Has,
  kind: SubmissionKind,
  isRepair: boolean,
): Promise<{ drifted: number } | MirrorTrouble> {
  const { database, mirror } = has;
  const reading = await mirror.read?.(kind, 1);
  if (!reading) return { drifted: 0 };
  if (reading.kind !== "rows") return reading;
  const compare = mirror.isRepeatable ? byPlace : byContent;
  const { drifted, found, inOurPlaces } = await compare(database, kind, reading.rows);
  await takeOver(has, kind, isRepair ? [...found, ...inOurPlaces] : found);
  for (let at = 0; isRepair && at < drifted.length; at += 500) {
    await database.write((trx) =>
      trx
        .updateTable("mirror_rows")
        .set({ state: "waiting", ...(mirror.isRepeatable ? {} : { place: null, fingerprint: "" }) })
        .where("id", "in", drifted.slice(at, at + 500))
        .where("state", "=", "written")
        .execute(),
    );
  }
  return { drifted: drifted.length };
}

async function byPlace(
  database: Database,
  kind: SubmissionKind,
  rows: readonly MirrorRow[],
): Promise<Comparison> {
  const drifted: string[] = [];
  const inOurPlaces: FoundRow[] = [];
  for await (const piece of placedRows(database.read, kind)) {
    for (const { id, place, state, fingerprint } of piece) {
      const cells = rows[place - 1] ?? [];
      if (state !== "written" || fingerprintOf(kind, cells, true) === fingerprint) continue;
      drifted.push(id);
      if (!isEmpty(cells)) inOurPlaces.push({ place: undefined, cells });
    }
  }
  const next = await nextPlace(database.read, kind);
  const found = rows.slice(next - 1).map((cells, index) => ({ place: next + index, cells }));
  return { drifted, found, inOurPlaces };
}

/** Rows that only ever get more have places of ours only in our books. */
async function byContent(
  database: Database,
  kind: SubmissionKind,
  rows: readonly MirrorRow[],
): Promise<Comparison> {
  const counts = await countUnknown(database, kind, rows);
  const drifted: string[] = [];
  const missing = new Map([...counts].map(([fingerprint, count]) => [fingerprint, -count]));
  for await (const piece of placedRows(database.read, kind)) {
    for (const { id, state, fingerprint } of piece) {
      if (state === "written" && takeOne(missing, fingerprint)) drifted.push(id);
    }
  }
  const next = await nextPlace(database.read, kind);
  const found = rows
    .filter((cells) => takeOne(counts, fingerprintOf(kind, cells, false)))
    .map((cells, index) => ({ place: next + index, cells }));
  return { drifted, found, inOurPlaces: [] };
}
