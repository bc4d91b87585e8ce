import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { IntegerBoolean } from "~/db/tables/columns";
import type { ConsentsTable, SubmissionsTable } from "~/db/tables/submissions";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { startOfDay } from "~/lib/utc-day";
import { OTHER_SOURCE } from "~/lib/source";
import { addToPeople, refreshPeople, setPersonAddress } from "~/services/people/people-rows.server";
import { removeCopies, noMirror, type MirrorQueue } from "~/services/mirrors/mirror-rows.server";
import { indexSubmissions, unindexSubmissions } from "~/services/search/search-index.server";
import { joinAudience, takeAudiencePosition } from "~/services/signups/audience-position.server";
import { addToSources, limitSubmissionSources } from "~/services/sources/submission-sources.server";
import { SUBMISSION_STATES, type SubmissionState } from "./submission-state";

/*
 * The only place where a submission gets, changes or loses its state. Everything that depends on the state is
 * updated in the same transaction: the counts per state, per day and per source, the audience, the search index, the
 * queue of the mirror, and the person. The caller records the audit entry, one for an action of many transactions.
 */

type NewSubmission = Omit<
  SubmissionsTable,
  "audience_position" | "deletion_id" | "answered_at" | "answered_by" | "notify" | "import_id" | "is_mirrored"
> & {
  readonly notify?: IntegerBoolean;
  readonly import_id?: string;
  readonly is_mirrored?: IntegerBoolean;
};
type Consent = Pick<ConsentsTable, "wording" | "wording_version" | "network">;

/**
 * Stores new submissions, any number of them in one transaction.
 * @param consent that of all, or that of each by its id.
 */
export async function insertSubmissions(
  trx: Write,
  submissions: readonly NewSubmission[],
  consent: Consent | ((id: string) => Consent),
  mirror: MirrorQueue,
): Promise<void> {
  for (const { state, kind, group } of groupInOrder(submissions)) {
    await insertGroup(trx, { kind, state, group }, consent, mirror);
  }
  const isOneEach = new Set(submissions.map(({ email_key }) => email_key)).size === submissions.length;
  if (isOneEach && submissions.every(({ state }) => state === "accepted")) {
    await addToPeople(trx, submissions);
  } else {
    await refreshPeople(trx, submissions);
  }
}

/** Groups rows by state and form, always in the same order, because the counts of these are locked one by one. */
function groupInOrder<Row extends Pick<SubmissionsTable, "state" | "kind">>(rows: readonly Row[]) {
  return SUBMISSION_STATES.flatMap((state) =>
    SUBMISSION_KINDS.map((kind) => ({
      state,
      kind,
      group: rows.filter((row) => row.state === state && row.kind === kind),
    })),
  ).filter(({ group }) => group.length > 0);
}

interface NewGroup {
  readonly kind: SubmissionKind;
  readonly state: SubmissionState;
  readonly group: readonly NewSubmission[];
}

/** Stores new submissions of one form and state. */
async function insertGroup(
  trx: Write,
  { kind, state, group }: NewGroup,
  consent: Consent | ((id: string) => Consent),
  mirror: MirrorQueue,
) {
  const isAccepted = state === "accepted";
  // Before the rows, which are then written once.
  const audience_position = isAccepted ? await takeAudiencePosition(trx, kind, group.length) : 0;
  await trx
    .insertInto("submissions")
    .values(group.map((submission) => ({ ...submission, audience_position })))
    .execute();
  const consents = group.map(({ id, email_key, created_at }) => ({
    ...(typeof consent === "function" ? consent(id) : consent),
    submission_id: id,
    email_key,
    form: kind,
    given_at: created_at,
  }));
  await trx.insertInto("consents").values(consents).execute();
  if (!isAccepted) return addToCount(trx, kind, state, group.length);
  await indexSubmissions(trx, group);
  await mirror.add(
    trx,
    kind,
    group.map(({ id }) => id),
  );
  await addToDays(trx, kind, group, 1);
  await addToSources(trx, kind, group, 1);
}

interface StateChange {
  readonly kind: SubmissionKind;
  readonly from: SubmissionState;
  readonly to: SubmissionState;
  readonly set?: Partial<Pick<SubmissionsTable, "quarantine_reason" | "admitted_at" | "deletion_id">> & {
    readonly notify?: IntegerBoolean;
  };
}

/** Moves submissions that are still in one state to another. @returns how many moved. */
export async function changeState(
  trx: Write,
  ids: readonly string[],
  { kind, from, to, set }: StateChange,
  mirror: MirrorQueue = noMirror,
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await trx
    .updateTable("submissions")
    .set({ ...set, state: to })
    .where("id", "in", ids)
    .where("kind", "=", kind)
    .where("state", "=", from)
    .returning(["id", "kind", "name", "email", "email_key", "company", "message", "created_at", "source"])
    .returning("is_mirrored")
    .execute();
  if (rows.length === 0) return 0;
  if (to === "accepted") await indexSubmissions(trx, rows);
  const counted = to === "accepted" ? await limitSources(trx, kind, rows) : rows;
  await recordChange(trx, { kind, rows: counted, from, to }, mirror);
  await refreshPeople(trx, rows);
  return rows.length;
}

/** Limits the sources of a day again: what was not accepted when it was stored did not count. */
async function limitSources<Row extends Pick<SubmissionsTable, "id" | "source" | "created_at">>(
  trx: Write,
  kind: SubmissionKind,
  rows: readonly Row[],
): Promise<Row[]> {
  const sources = await limitSubmissionSources(trx, kind, rows);
  const limited = rows.map((row, index) => ({ ...row, source: sources[index] ?? row.source }));
  const others = limited.filter(({ source }, index) => source !== rows[index]?.source);
  if (others.length > 0) {
    const ids = others.map(({ id }) => id);
    await trx.updateTable("submissions").set({ source: OTHER_SOURCE }).where("id", "in", ids).execute();
  }
  return limited;
}

/** What an operator can correct in a submission. */
export type CorrectableFields = Pick<
  SubmissionsTable,
  "id" | "name" | "email" | "email_key" | "company" | "role"
>;

/**
 * Writes the corrected fields of submissions that exist, and what follows from them: the address of their consents,
 * search words and people. States, counts and audience positions stay; copies in a mirror keep the old values.
 * @param person gets the address of these submissions and keeps their id; left out: the address is somebody's already.
 */
export async function correctSubmissions(
  trx: Write,
  submissions: readonly CorrectableFields[],
  person?: { readonly id: string; readonly email_key: string },
): Promise<void> {
  if (submissions.length === 0) return;
  const ids = submissions.map(({ id }) => id);
  const before = await trx.selectFrom("submissions").select("email_key").where("id", "in", ids).execute();
  const rows = submissions.map(
    ({ id, name, email, email_key, company, role }) =>
      sql`(${id}, ${name}, ${email}, ${email_key}, ${company}, ${role})`,
  );
  // One statement; column1 and so on are the names both databases give to the columns of VALUES.
  await sql`
    update submissions set name = corrected.column2, email = corrected.column3, email_key = corrected.column4,
      company = corrected.column5, role = corrected.column6
    from (values ${sql.join(rows)}) as corrected
    where submissions.id = corrected.column1
  `.execute(trx);
  await trx
    .updateTable("consents")
    .set(({ selectFrom }) => ({
      email_key: selectFrom("submissions")
        .select("submissions.email_key")
        .whereRef("submissions.id", "=", "consents.submission_id")
        .$asScalar(),
    }))
    .where("submission_id", "in", ids)
    .execute();
  const accepted = await trx
    .selectFrom("submissions")
    .selectAll()
    .where("id", "in", ids)
    .where("state", "=", "accepted")
    .orderBy("id")
    .execute();
  await unindexSubmissions(trx, ids);
  await indexSubmissions(trx, accepted);
  if (person) await setPersonAddress(trx, person);
  await refreshPeople(trx, [...before, ...submissions]);
}

/**
 * Erases submissions for good, and their consents with them (on delete cascade).
 * @param state limits the erasure to submissions in this state; left out: any state.
 * @returns how many of them still existed.
 */
export async function eraseSubmissions(
  trx: Write,
  ids: readonly string[],
  state?: SubmissionState,
): Promise<number> {
  if (ids.length === 0) return 0;
  let query = trx.deleteFrom("submissions").where("id", "in", ids);
  if (state) query = query.where("state", "=", state);
  const rows = await query
    .returning(["id", "kind", "state", "email_key", "created_at", "source", "deletion_id"])
    .execute();
  for (const { state, kind, group } of groupInOrder(rows)) {
    await recordChange(trx, { kind, rows: group, from: state }, noMirror);
  }
  for (const [deletion, group] of Map.groupBy(rows, (row) => row.deletion_id)) {
    if (deletion !== null) await takeFromDeletion(trx, deletion, group.length);
  }
  await refreshPeople(trx, rows);
  return rows.length;
}

interface RecordedChange {
  readonly kind: SubmissionKind;
  readonly rows: readonly (Pick<SubmissionsTable, "id" | "created_at" | "source"> & {
    readonly is_mirrored?: IntegerBoolean;
  })[];
  readonly from: SubmissionState;
  /** Left out: the rows are erased. */
  readonly to?: SubmissionState;
}

/**
 * Updates what depends on the state of rows of one form. Locks in a fixed order, so that transactions do not
 * deadlock: search words, copies, the count of the accepted, the other counts, the days, the sources. The caller then
 * locks the people.
 */
async function recordChange(trx: Write, { kind, rows, from, to }: RecordedChange, mirror: MirrorQueue) {
  const ids = rows.map(({ id }) => id);
  if (from === "accepted") {
    await unindexSubmissions(trx, ids);
    await removeCopies(trx, ids);
    await addToCount(trx, kind, from, -ids.length);
  }
  if (to === "accepted") {
    const mirrored = rows.filter(({ is_mirrored }) => is_mirrored !== 0).map(({ id }) => id);
    await mirror.add(trx, kind, mirrored);
    await joinAudience(trx, kind, ids, ids.length);
  }
  if (from !== "accepted") await addToCount(trx, kind, from, -ids.length);
  if (to && to !== "accepted") await addToCount(trx, kind, to, ids.length);
  if (from === "accepted") await addToDays(trx, kind, rows, -1);
  if (to === "accepted") await addToDays(trx, kind, rows, 1);
  if (from === "accepted") await addToSources(trx, kind, rows, -1);
  if (to === "accepted") await addToSources(trx, kind, rows, 1);
  // Without the fingerprint, the same content counts as new again.
  if (to === undefined || to === "deleted") {
    await trx.deleteFrom("submission_fingerprints").where("submission_id", "in", ids).execute();
  }
}

/** Counts the submissions in a state by form, from stored counters. */
export async function countByKind(
  read: Read,
  state: SubmissionState,
): Promise<Record<SubmissionKind, number>> {
  const rows = await read
    .selectFrom("submission_counts")
    .select(["kind", "count"])
    .where("state", "=", state)
    .execute();
  const zero = { "early-access": 0, "contact-form": 0, "updates-signup": 0 };
  return { ...zero, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
}

/** Counts all submissions in a state, from stored counters. */
export async function countInState(read: Read, state: SubmissionState): Promise<number> {
  return Object.values(await countByKind(read, state)).reduce((sum, count) => sum + count, 0);
}

/** @param by may be negative. */
async function addToCount(
  trx: Write,
  kind: SubmissionKind,
  state: SubmissionState,
  by: number,
): Promise<void> {
  await trx
    .insertInto("submission_counts")
    .values({ kind, state, count: by })
    .onConflict((conflict) =>
      conflict.columns(["kind", "state"]).doUpdateSet({ count: sql`submission_counts.count + ${by}` }),
    )
    .execute();
}

async function addToDays(
  trx: Write,
  kind: SubmissionKind,
  rows: readonly Pick<SubmissionsTable, "created_at">[],
  by: 1 | -1,
): Promise<void> {
  const days = Map.groupBy(rows, (row) => startOfDay(row.created_at));
  const counts = [...days].map(([day, some]) => ({ kind, day, count: by * some.length }));
  await trx
    .insertInto("submission_days")
    .values(counts.sort((a, b) => a.day - b.day))
    .onConflict((conflict) =>
      conflict.columns(["kind", "day"]).doUpdateSet({ count: sql`submission_days.count + excluded.count` }),
    )
    .execute();
}

/** Subtracts restored or erased submissions from their deletion, and removes an empty deletion. */
export async function takeFromDeletion(trx: Write, id: string, by: number): Promise<void> {
  await trx
    .updateTable("deletions")
    .set((row) => ({ count: row("count", "-", by) }))
    .where("id", "=", id)
    .execute();
  await trx.deleteFrom("deletions").where("id", "=", id).where("count", "<=", 0).execute();
}
