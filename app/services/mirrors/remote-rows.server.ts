import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import { formatCount } from "~/lib/format-number";
import { UNKNOWN_SOURCE } from "~/lib/source";
import { auditInParts, SYSTEM } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import { insertSubmissions } from "~/services/submissions/submission-states.server";
import { getFingerprint, isEmpty, parseSubmission } from "./mirror-cells.server";
import {
  findRemoved,
  getNextPlace,
  mirrorQueue,
  noMirror,
  readPlacedRows,
  type RowInFlight,
} from "./mirror-rows.server";
import type { MirrorProblem, MirrorRow, SubmissionMirror } from "./submission-mirror";
import type { SubmissionKind, TypedSubmission } from "~/lib/form-fields";

interface Deps extends ServiceDeps {
  readonly mirror: SubmissionMirror;
}

/**
 * Returns which of these rows are in the sheet as they were sent; a problem when it cannot be read now, undefined when
 * that cannot be known.
 */
export async function findInSheet(
  { database, mirror }: Deps,
  kind: SubmissionKind,
  rows: readonly RowInFlight[],
): Promise<{ present: RowInFlight[]; missing: RowInFlight[] } | MirrorProblem | undefined> {
  if (rows.some(({ sentFingerprint }) => sentFingerprint === "")) return undefined;
  const from = mirror.isRepeatable ? (rows[0]?.place ?? 1) : 1;
  const reading = await mirror.read?.(kind, from);
  if (!reading) return undefined;
  if (reading.kind !== "rows") return reading;
  // Without fixed places, a row is in the sheet when it occurs there once more than is recorded.
  const unrecorded = mirror.isRepeatable ? undefined : await countUnrecorded(database, kind, reading.rows);
  const isPresent = ({ place, sentFingerprint }: RowInFlight) =>
    unrecorded
      ? takeOne(unrecorded, sentFingerprint)
      : getFingerprint(kind, reading.rows[place - from] ?? [], true) === sentFingerprint;
  const { present = [], missing = [] } = Object.groupBy(rows, (row) =>
    isPresent(row) ? "present" : "missing",
  );
  return { present, missing };
}

/** Counts the rows of a sheet minus the recorded ones, by fingerprint; negative numbers are missing rows. */
async function countUnrecorded(database: Database, kind: SubmissionKind, rows: readonly MirrorRow[]) {
  const counts = new Map<string, number>();
  const add = (fingerprint: string, by: 1 | -1) =>
    counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + by);
  for (const cells of rows) add(getFingerprint(kind, cells, false), 1);
  const removable: string[] = [];
  for await (const piece of readPlacedRows(database.read, kind)) {
    for (const { state, fingerprint, sentFingerprint } of piece) {
      // Whether it is there is what findInSheet asks.
      if (state === "writing") continue;
      const sent = fingerprint || sentFingerprint;
      if (!sent) continue;
      if (state === "foreign" || state === "left" || fingerprint === "") removable.push(sent);
      else add(sent, -1);
    }
  }
  // People may have removed these rows, or they never arrived: they take only what the others leave.
  for (const fingerprint of removable) takeOne(counts, fingerprint);
  return counts;
}

/** Takes one from the count of a fingerprint. @returns whether there was one. */
function takeOne(counts: Map<string, number>, fingerprint: string): boolean {
  const count = counts.get(fingerprint) ?? 0;
  if (count > 0) counts.set(fingerprint, count - 1);
  return count > 0;
}

/**
 * Reads a whole sheet, imports what people wrote below the recorded rows, and counts recorded rows that were changed
 * or removed. A repair queues those again, after importing unknown rows at their places: nobody's entry is lost.
 */
export async function checkSheet(
  deps: Deps,
  kind: SubmissionKind,
  isRepair: boolean,
): Promise<{ drifted: number } | MirrorProblem> {
  const { database, mirror } = deps;
  const reading = await mirror.read?.(kind, 1);
  if (!reading) return { drifted: 0 };
  if (reading.kind !== "rows") return reading;
  const compare = mirror.isRepeatable ? compareByPlace : compareByContent;
  const { drifted, found } = await compare(database, kind, reading.rows);
  await importRows(deps, kind, isRepair ? found : found.filter(({ place }) => place !== undefined));
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

/** Compares by place. @returns ids of rows that were changed or removed, and rows that are not recorded. */
async function compareByPlace(database: Database, kind: SubmissionKind, rows: readonly MirrorRow[]) {
  const drifted: string[] = [];
  const atRecordedPlaces: FoundRow[] = [];
  for await (const piece of readPlacedRows(database.read, kind)) {
    for (const { id, place, state, fingerprint } of piece) {
      const cells = rows[place - 1] ?? [];
      if (state !== "written" || getFingerprint(kind, cells, true) === fingerprint) continue;
      drifted.push(id);
      if (!isEmpty(cells)) atRecordedPlaces.push({ place: undefined, cells });
    }
  }
  const next = await getNextPlace(database.read, kind);
  const below = rows.slice(next - 1).map((cells, index) => ({ place: next + index, cells }));
  return { drifted, found: [...below, ...atRecordedPlaces] };
}

/** Compares by content: rows of an append-only mirror have no fixed places. @returns the same as `compareByPlace`. */
async function compareByContent(database: Database, kind: SubmissionKind, rows: readonly MirrorRow[]) {
  const counts = await countUnrecorded(database, kind, rows);
  const drifted: string[] = [];
  const missing = new Map([...counts].map(([fingerprint, count]) => [fingerprint, -count]));
  for await (const piece of readPlacedRows(database.read, kind)) {
    for (const { id, state, fingerprint } of piece) {
      if (state === "written" && takeOne(missing, fingerprint)) drifted.push(id);
    }
  }
  const next = await getNextPlace(database.read, kind);
  const found = rows
    .filter((cells) => takeOne(counts, getFingerprint(kind, cells, false)))
    .map((cells, index) => ({ place: next + index, cells }));
  return { drifted, found };
}

/** A row of a sheet that is not recorded. */
interface FoundRow {
  /** Undefined at a recorded place: only a repair, which rewrites that place, gives this row a new one. */
  readonly place: number | undefined;
  readonly cells: MirrorRow;
}

/** Consent recorded for a person entered in the sheet by hand. */
const CONSENT = {
  wording: "Entered in the spreadsheet that submissions are copied to, and imported from there.",
  wording_version: "spreadsheet-1",
  network: "",
} as const;

/** Rows per transaction: a submission takes some ten statements. */
const CHUNK = 50;

/**
 * Imports what people wrote into a sheet as submissions, without sending an email. Known submissions are not
 * stored twice; rows that are no submission only keep their place. Runs in short transactions, in order; after
 * an interruption the next read of the sheet finds the rest.
 */
export async function importRows(deps: Deps, kind: SubmissionKind, found: readonly FoundRow[]) {
  const formatSubject = (count: number) => `${formatCount(count, "submission")} of ${kind}`;
  const parts = auditInParts(deps, SYSTEM, "import-from-mirror", formatSubject);
  for (let at = 0; at < found.length; at += CHUNK) {
    await parts.write(async (trx) => {
      const rows = found.slice(at, at + CHUNK);
      const removed = await findRemoved(
        trx,
        kind,
        rows.flatMap(({ cells }) => getFingerprints(kind, cells)),
      );
      let added = 0;
      for (const row of rows) {
        const isRemoved = getFingerprints(kind, row.cells).some((fingerprint) => removed.has(fingerprint));
        added += await importRow(trx, deps, kind, { ...row, isRemoved });
      }
      return added;
    });
  }
}

/** Returns the fingerprints that a row may have been recorded with, in this mirror or in the one before. */
const getFingerprints = (kind: SubmissionKind, cells: MirrorRow) =>
  [true, false].map((hasOurTime) => getFingerprint(kind, cells, hasOurTime));

/**
 * @param row.isRemoved it was written for a submission that is gone: people moved it here, or an earlier mirror
 *   wrote it.
 * @returns 1 for a new submission.
 */
async function importRow(
  trx: Write,
  { mirror, clock, newId }: Deps,
  kind: SubmissionKind,
  { place, cells, isRemoved }: FoundRow & { isRemoved: boolean },
): Promise<0 | 1> {
  const now = clock();
  const submission = isEmpty(cells) ? undefined : parseSubmission(kind, cells, now);
  const known = submission && (await findKnownSubmission(trx, kind, submission));
  const isNew = submission !== undefined && known === undefined && !isRemoved;
  const isUnplaced = known?.place === null;
  const id = isUnplaced ? known.id : newId();
  if (isNew) {
    const email_key = emailKey(submission.email);
    const accepted = { state: "accepted", quarantine_reason: "", admitted_at: now } as const;
    // A row that keeps its place is recorded below instead.
    const queue = place === undefined ? mirrorQueue : noMirror;
    const source = UNKNOWN_SOURCE;
    const row = { ...submission, ...accepted, id, kind, email_key, source };
    await insertSubmissions(trx, [row], CONSENT, queue);
  }
  if (place !== undefined) {
    const state = isNew || isUnplaced ? "written" : "foreign";
    const fingerprint = getFingerprint(kind, cells, mirror.isRepeatable);
    await trx
      .insertInto("mirror_rows")
      .values({ id, kind, place, state, fingerprint, detail: "" })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ place, state, fingerprint }))
      .execute();
  }
  return isNew ? 1 : 0;
}

/**
 * Finds the submission a row repeats: a signup has the same address, an inquiry the same address and message. The
 * address may be the one before a correction, which rows keep.
 */
async function findKnownSubmission(trx: Write, kind: SubmissionKind, { email, message }: TypedSubmission) {
  const key = emailKey(email);
  const moved = await trx
    .selectFrom("person_corrections")
    .innerJoin("people", "people.id", "person_corrections.person_id")
    .leftJoin("people as owner", "owner.email_key", "former_key")
    .select("people.email_key")
    .where("former_key", "=", key)
    // Literal, not bound: the partial index is used only then.
    .where(sql<boolean>`former_key <> ''`)
    .where("undone_at", "is", null)
    // A former address that is somebody's again is theirs alone.
    .where("owner.id", "is", null)
    .execute();
  const rows = await trx
    .selectFrom("submissions")
    .leftJoin("mirror_rows", "mirror_rows.id", "submissions.id")
    .select(["submissions.id", "message", "place"])
    .where("submissions.kind", "=", kind)
    .where("submissions.state", "=", "accepted")
    .where("email_key", "in", [key, ...moved.map(({ email_key }) => email_key)])
    // Submissions without a place first, so that they are not written again beside this row.
    .orderBy(sql`case when place is null then 0 else 1 end`)
    .orderBy("submissions.id")
    .execute();
  return rows.find((row) => row.message === message);
}
