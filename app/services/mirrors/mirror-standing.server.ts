import type { Database } from "~/db/database.server";
import type { SubmissionKind } from "~/db/tables/submissions";
import type { OwedRow } from "./mirror-books.server";
import { placedRows } from "./mirror-books.server";
import { fingerprintOf } from "./mirror-cells.server";
import type { MirrorRow, MirrorTrouble, SubmissionMirror } from "./submission-mirror";

export interface Standing {
  readonly there: readonly OwedRow[];
  readonly missing: readonly OwedRow[];
}

/** Which of these rows stand there; trouble when it cannot be read now. */
export async function standingOf(
  database: Database,
  mirror: SubmissionMirror,
  kind: SubmissionKind,
  rows: readonly OwedRow[],
): Promise<Standing | MirrorTrouble> {
  const from = mirror.isRepeatable ? (rows[0]?.place ?? 1) : 1;
  const reading = await mirror.read?.(kind, from);
  if (!reading) return { there: [], missing: rows };
  if (reading.kind !== "rows") return reading;
  const isThere = mirror.isRepeatable
    ? atItsPlace(kind, from, reading.rows)
    : await amongTheRest(database, kind, reading.rows);
  const there = rows.filter(isThere);
  return { there, missing: rows.filter((row) => !there.includes(row)) };
}

function atItsPlace(kind: SubmissionKind, from: number, rows: readonly MirrorRow[]) {
  return ({ place, cells }: OwedRow): boolean =>
    fingerprintOf(kind, rows[(place ?? 0) - from] ?? [], true) === fingerprintOf(kind, cells, true);
}

/** Where rows have no place of ours, one stands there when it does once more than the books know of. */
async function amongTheRest(database: Database, kind: SubmissionKind, rows: readonly MirrorRow[]) {
  const unknown = await countUnknown(database, kind, rows);
  return ({ cells }: OwedRow): boolean => takeOne(unknown, fingerprintOf(kind, cells, false));
}

/** How often what stands in a sheet does so beyond our books, by fingerprint; below nothing, how often it is missing. */
export async function countUnknown(
  database: Database,
  kind: SubmissionKind,
  rows: readonly MirrorRow[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (fingerprint: string, by: 1 | -1) =>
    counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + by);
  for (const cells of rows) add(fingerprintOf(kind, cells, false), 1);
  for await (const piece of placedRows(database.read, kind)) {
    for (const row of piece) if (row.fingerprint) add(row.fingerprint, -1);
  }
  return counts;
}

/** Takes one of those beyond the books, if there is one. */
export function takeOne(counts: Map<string, number>, fingerprint: string): boolean {
  const count = counts.get(fingerprint) ?? 0;
  if (count > 0) counts.set(fingerprint, count - 1);
  return count > 0;
}
