import { v7 } from "uuid";
import type { Read, Write } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { readImportLine, type ReadLine } from "~/lib/import-line";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import { SYSTEM, createAudit } from "~/services/audit/audit.server";
import { mirrorQueue, noMirror } from "~/services/mirrors/mirror-rows.server";
import { createWorker, type WorkLoop, type WorkerOptions } from "~/services/queue/worker.server";
import type { ServiceDeps } from "~/services/service-deps";
import { rejoinAudiences } from "~/services/signups/audience-position.server";
import { limitSubmissionSources } from "~/services/sources/submission-sources.server";
import { eraseSubmissions, insertSubmissions } from "~/services/submissions/submission-states.server";
import { SUBMISSION_STATES } from "~/services/submissions/submission-state";
import { suppress } from "~/services/suppressions/suppressions.server";
import { formatSubject } from "./import-subject";
import {
  countChanges,
  getCells,
  getReading,
  lockImport,
  selectNextLines,
  updateLines,
  type ImportRow,
} from "./import-rows.server";
import { COUNT_COLUMNS, UNDO_MS, WORKING, type StoredLine } from "./import-state";

/** Lines of a piece, which is one transaction: some 15 ms, in which the process does nothing else on SQLite. */
const PIECE = 25;
const IDLE_MS = seconds(2);
/** Version of the wording of an imported consent. */
const CONSENT_VERSION = "import-1";

type WorkerDeps = ServiceDeps & Pick<WorkerOptions, "log">;

/** Creates the worker that goes through the lines of imports, a piece at a time. */
export function createImportWorker(deps: ServiceDeps & WorkerOptions) {
  return createWorker("the import", () => new ImportLoop(deps), deps);
}

/**
 * Does a piece of the oldest import that has work, and then waits as long as that took. Where it is up to is stored with
 * each piece under the lock of the import's row: so it goes on after a kill, and instances take turns.
 */
class ImportLoop implements WorkLoop {
  readonly inFlight = 0;
  readonly idle = true;
  readonly #deps: WorkerDeps;
  #stopping = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  beginStopping(): void {
    this.#stopping = true;
  }

  async next(): Promise<number> {
    if (this.#stopping) return IDLE_MS;
    const { database, clock } = this.#deps;
    const id = await findWork(database.read, clock());
    if (id === undefined) return IDLE_MS;
    const began = performance.now();
    await workOnPiece(this.#deps, id);
    return Math.max(1, performance.now() - began);
  }
}

/** Finds the import that has had work for the longest. */
async function findWork(read: Read, now: number): Promise<string | undefined> {
  const row = await read
    .selectFrom("imports")
    .select("id")
    .where(({ or, and, eb }) =>
      or([
        eb("state", "in", WORKING),
        and([eb("state", "=", "undone"), eb("settled_at", "is", null)]),
        and([
          eb("state", "in", ["finished", "cancelled"]),
          eb("settled_at", "is", null),
          eb("finished_at", "<=", now - UNDO_MS),
        ]),
      ]),
    )
    .orderBy("id")
    .executeTakeFirst();
  return row?.id;
}

/**
 * Does the next piece of an import's work. Where it fails, its lines are done one by one, and one that fails alone is left
 * out: it would hold up its import, and all later ones, for ever.
 */
async function workOnPiece(deps: WorkerDeps, id: string): Promise<void> {
  try {
    await workOnImport(deps, id, PIECE);
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    deps.log.error({ err, import: id }, "lines of an import failed, and are done one by one");
    for (let done = 0; done < PIECE; done += 1) await workOnLine(deps, id);
  }
}

async function workOnLine(deps: WorkerDeps, id: string): Promise<void> {
  const places = deps.database.read.selectFrom("imports").select(["state", "last_line"]);
  const place = await places.where("id", "=", id).executeTakeFirst();
  try {
    await workOnImport(deps, id, 1);
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    const line = place && (await leaveOutLine(deps, id, place));
    // It was not a line that failed, or somebody else has gone on meanwhile.
    if (line === undefined) throw err;
    deps.log.error({ err, import: id, line }, "a line of an import failed, and was left out");
  }
}

/**
 * Passes over the line after a place. What the import stored by it stays as it is.
 * @returns its number; undefined where the import is not at that place, or no line is left.
 */
function leaveOutLine(
  { database }: ServiceDeps,
  id: string,
  { state, last_line }: Pick<ImportRow, "state" | "last_line">,
): Promise<number | undefined> {
  return database.write(async (trx) => {
    const row = await lockImport(trx, id);
    if (row?.state !== state || row.last_line !== last_line) return undefined;
    const before = await selectNextLines(trx, row).executeTakeFirst();
    if (!before) return undefined;
    const isUnstored = state === "checking" || state === "running";
    const verdict = isUnstored ? "invalid" : before.verdict;
    const after: StoredLine = { ...before, verdict, reason: "failed" };
    await updateLines(trx, id, [after]);
    // What an earlier dry run said of it is not counted.
    const changes = countChanges(state === "checking" ? [] : [before], [after]);
    await update(trx, row, { ...addCounts(row, changes), last_line: after.line });
    return after.line;
  });
}

/**
 * Does the next piece of an import's work in one transaction.
 * @param limit lines of the piece.
 * @returns whether there may be more.
 */
export function workOnImport(deps: ServiceDeps, id: string, limit: number): Promise<boolean> {
  return deps.database.write(async (trx) => {
    const row = await lockImport(trx, id);
    switch (row?.state) {
      case "checking":
        return checkLines(trx, deps, row, limit);
      case "running":
        return runLines(trx, deps, row, limit);
      case "undoing":
        return undoLines(trx, row, limit);
      case "finished":
      case "cancelled":
      case "undone":
        return settleLines(trx, deps, row, limit);
      default:
        return false;
    }
  });
}

/** Gives the next lines their verdicts. Nothing outside of the import is changed. */
async function checkLines(
  trx: Write,
  { clock }: ServiceDeps,
  row: ImportRow,
  limit: number,
): Promise<boolean> {
  const before = await selectNextLines(trx, row).limit(limit).execute();
  if (before.length === 0) {
    await update(trx, row, { state: "checked", last_line: 0 });
    return false;
  }
  const reading = getReading(row);
  const read = before.map((line) => readImportLine(getCells(line), reading, clock()));
  const keys = [...new Set(read.map(({ email_key }) => email_key))].filter((key) => key !== "");
  const earlier = await listEarlier(trx, row, keys, before[0]?.line ?? 0);
  const known = await listKnown(trx, keys);
  const suppressed = await listSuppressed(trx, keys);
  const judged = before.map((line, index) => {
    const one = read[index];
    if (!one) return line;
    const done = { ...line, email_key: one.email_key, ...judge(one, { earlier, known, suppressed }) };
    if (done.verdict !== "invalid") note(earlier, done.email_key, done.verdict);
    return done;
  });
  const stopped = new Set(
    judged.flatMap(({ email_key, reason }) => (reason === "status" ? [email_key] : [])),
  );
  const after = judged.map((line) =>
    line.verdict === "new" && stopped.has(line.email_key) ? { ...line, ...STOPPED_BELOW } : line,
  );
  await updateLines(trx, row.id, after);
  // Verdicts of an earlier dry run were taken off when this one began.
  const changes = countChanges([], after);
  const moved = await stopEarlier(trx, row, [...stopped], before[0]?.line ?? 0);
  changes.new_count -= moved;
  changes.suppressed_count += moved;
  await update(trx, row, { ...addCounts(row, changes), last_line: after.at(-1)?.line ?? 0 });
  return true;
}

/** What becomes of a new line when a later one says that nobody may write to the address: nobody is imported by it. */
const STOPPED_BELOW = { verdict: "suppressed", reason: "status-below" } as const;

/** Takes these addresses from the new ones before a line. @returns how many lines. */
async function stopEarlier(
  trx: Write,
  { id }: ImportRow,
  keys: readonly string[],
  line: number,
): Promise<number> {
  if (keys.length === 0) return 0;
  const { numUpdatedRows } = await trx
    .updateTable("import_lines")
    .set(STOPPED_BELOW)
    .where("email_key", "in", keys)
    .where("import_id", "=", id)
    .where("line", "<", line)
    .where("verdict", "=", "new")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

interface Facts {
  /** Verdicts of earlier lines with the same address. */
  readonly earlier: ReadonlyMap<string, ReadonlySet<string>>;
  readonly known: ReadonlySet<string>;
  readonly suppressed: ReadonlySet<string>;
}

/** An opt-out counts wherever it stands; otherwise the first line of an address does. */
function judge(
  line: ReadLine,
  { earlier, known, suppressed }: Facts,
): Pick<StoredLine, "verdict" | "reason"> {
  if (line.kind === "invalid") return { verdict: "invalid", reason: line.reason };
  const verdicts = earlier.get(line.email_key);
  if (line.kind === "stop" && !verdicts?.has("suppressed"))
    return { verdict: "suppressed", reason: "status" };
  if (verdicts) return { verdict: "duplicate", reason: "repeated" };
  if (suppressed.has(line.email_key)) return { verdict: "suppressed", reason: "listed" };
  if (known.has(line.email_key)) return { verdict: "known", reason: "known" };
  return { verdict: "new", reason: "" };
}

/** Stores the next new lines as submissions, and puts the addresses that the file says so of on the suppression list. */
async function runLines(trx: Write, deps: ServiceDeps, row: ImportRow, limit: number): Promise<boolean> {
  const now = deps.clock();
  const before = await selectNextLines(trx, row).limit(limit).execute();
  if (before.length === 0) {
    await update(trx, row, { state: "finished", last_line: 0, finished_at: now });
    const audit = createAudit(deps);
    await audit(trx, SYSTEM, { action: "finish-import", subject: formatSubject(row, row.stored_count) });
    return false;
  }
  const reading = getReading(row);
  const read = new Map(before.map((line) => [line.line, readImportLine(getCells(line), reading, now)]));
  const keys = before.map(({ email_key }) => email_key);
  // Since the dry run some may have signed up or opted out.
  const known = await listKnown(trx, keys);
  const suppressed = await listSuppressed(trx, keys);
  const added = await addSuppressions(trx, deps, row, [...read.values()]);
  const people = new Map<string, Extract<ReadLine, { kind: "person" }>>();
  const after = before.map((line): StoredLine => {
    const one = read.get(line.line);
    if (!one) return line;
    if (one.kind === "stop") {
      const suppression_id = added.get(one.email_key) ?? null;
      return { ...line, suppression_id, reason: suppression_id === null ? "listed" : "status" };
    }
    const { verdict, reason } = judge(one, { earlier: new Map(), known, suppressed });
    if (verdict !== "new" || one.kind !== "person") return { ...line, verdict, reason };
    const submission_id = createIdAt(one.signedUpAt ?? now, line.line);
    people.set(submission_id, one);
    return { ...line, submission_id };
  });
  await storePeople(trx, row, people, now);
  await updateLines(trx, row.id, after);
  await update(trx, row, {
    ...addCounts(row, countChanges(before, after)),
    stored_count: row.stored_count + people.size,
    listed_count: row.listed_count + added.size,
    last_line: after.at(-1)?.line ?? 0,
  });
  return true;
}

async function storePeople(
  trx: Write,
  row: ImportRow,
  people: ReadonlyMap<string, Extract<ReadLine, { kind: "person" }>>,
  now: number,
): Promise<void> {
  if (people.size === 0) return;
  const submissions = [...people].map(
    ([id, { email, email_key, name, company, role, signedUpAt = now, source }]) => ({
      ...EMPTY_FIELDS,
      id,
      kind: getReading(row).kind,
      state: "accepted" as const,
      quarantine_reason: "" as const,
      name,
      email,
      email_key,
      company,
      role,
      created_at: signedUpAt,
      source,
      admitted_at: now,
      notify: 0 as const,
      import_id: row.id,
      is_mirrored: 0 as const,
    }),
  );
  const getConsent = (id: string) => ({
    wording: people.get(id)?.consent ?? "",
    wording_version: CONSENT_VERSION,
    network: "",
  });
  const sources = await limitSubmissionSources(trx, getReading(row).kind, submissions);
  const limited = submissions.map((one, index) => ({ ...one, source: sources[index] ?? one.source }));
  await insertSubmissions(trx, limited, getConsent, noMirror);
}

/** Suppresses the addresses of lines that say so. @returns the ids of the suppressions that are new, by address. */
async function addSuppressions(
  trx: Write,
  { newId }: ServiceDeps,
  row: ImportRow,
  lines: readonly ReadLine[],
): Promise<Map<string, string>> {
  const stops = lines.filter((line) => line.kind === "stop");
  if (stops.length === 0) return new Map();
  const ids: string[] = [];
  const noteId = () => {
    const id = newId();
    ids.push(id);
    return id;
  };
  const suppressions = stops.map(({ email, detail }) => ({
    address: email,
    detail: `${detail} (${row.file_name})`,
    deliveryId: null,
  }));
  await suppress(trx, noteId, "imported", suppressions, row.started_at ?? row.created_at);
  const rows = await trx
    .selectFrom("suppressions")
    .select(["id", "email_key"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, email_key }) => [email_key, id]));
}

/** Removes what the next lines have stored, except of people who got an email or joined since. */
async function undoLines(trx: Write, row: ImportRow, limit: number): Promise<boolean> {
  const before = await selectNextLines(trx, row).limit(limit).execute();
  if (before.length === 0) {
    await update(trx, row, { state: "undone", last_line: 0 });
    return true;
  }
  const stored = before.flatMap(({ submission_id }) => submission_id ?? []);
  const kept = await listKept(trx, before, row.started_at ?? row.created_at);
  const after = before.map((line): StoredLine => {
    if (line.submission_id === null) return { ...line, suppression_id: null };
    if (kept.has(line.submission_id)) return { ...line, reason: "written-to" };
    return { ...line, submission_id: null };
  });
  const erased = before.flatMap((line, index) =>
    line.submission_id !== null && after[index]?.submission_id === null ? [line.submission_id] : [],
  );
  const count = await eraseSubmissions(trx, erased);
  const released = await removeSuppressions(
    trx,
    before.flatMap((line) => line.suppression_id ?? []),
  );
  await updateLines(trx, row.id, after);
  await update(trx, row, {
    stored_count: row.stored_count - count,
    listed_count: row.listed_count - released,
    kept_count: row.kept_count + stored.length - erased.length,
    last_line: after.at(-1)?.line ?? 0,
  });
  return true;
}

/** Removes suppressions as long as they are what the import made of them. @returns how many. */
async function removeSuppressions(trx: Write, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await trx
    .deleteFrom("suppressions")
    .where("id", "in", ids)
    .where("reason", "=", "imported")
    .where("opted_out", "=", 0)
    .returning("email_key")
    .execute();
  await rejoinAudiences(
    trx,
    rows.map(({ email_key }) => email_key),
  );
  return rows.length;
}

/** Does what waits until the import can no longer be undone, for the next lines: of an undone one, for who stays. */
async function settleLines(
  trx: Write,
  { clock }: ServiceDeps,
  row: ImportRow,
  limit: number,
): Promise<boolean> {
  const now = clock();
  if (row.settled_at !== null) return false;
  if (row.state !== "undone" && (row.finished_at ?? now) > now - UNDO_MS) return false;
  const lines = await selectNextLines(trx, row).limit(limit).execute();
  if (row.is_mirrored === 1) await mirrorSubmissions(trx, row, lines);
  await keepOptOuts(trx, row, lines, now);
  const isLast = lines.length < limit;
  await update(trx, row, { last_line: lines.at(-1)?.line ?? 0, settled_at: isLast ? now : null });
  return !isLast;
}

async function mirrorSubmissions(trx: Write, row: ImportRow, lines: readonly StoredLine[]): Promise<void> {
  const ids = lines.flatMap((line) => line.submission_id ?? []);
  if (ids.length === 0) return;
  const submissions = await trx
    .updateTable("submissions")
    .set({ is_mirrored: 1 })
    .where("id", "in", ids)
    .returning(["id", "state"])
    .execute();
  const accepted = submissions.filter(({ state }) => state === "accepted").map(({ id }) => id);
  await mirrorQueue.add(trx, getReading(row).kind, accepted);
}

/** Marks opt-outs as what they are: nobody releases them without a reason, and an erasure leaves them. */
async function keepOptOuts(
  trx: Write,
  row: ImportRow,
  lines: readonly StoredLine[],
  now: number,
): Promise<void> {
  const reading = getReading(row);
  const ids = lines.flatMap((line) => {
    if (line.suppression_id === null) return [];
    const read = readImportLine(getCells(line), reading, now);
    return read.kind === "stop" && read.isOptOut ? [line.suppression_id] : [];
  });
  if (ids.length === 0) return;
  await trx.updateTable("suppressions").set({ opted_out: 1 }).where("id", "in", ids).execute();
}

async function update(trx: Write, { id }: ImportRow, set: Partial<Omit<ImportRow, "id">>): Promise<void> {
  await trx.updateTable("imports").set(set).where("id", "=", id).execute();
}

function addCounts(row: ImportRow, changes: ReturnType<typeof countChanges>) {
  return Object.fromEntries(
    Object.values(COUNT_COLUMNS).map((column) => [column, row[column] + changes[column]]),
  ) as typeof changes;
}

/** Returns the verdicts of earlier lines with these addresses. */
async function listEarlier(trx: Write, { id }: ImportRow, keys: readonly string[], line: number) {
  const earlier = new Map<string, Set<string>>();
  if (keys.length === 0) return earlier;
  const rows = await trx
    .selectFrom("import_lines")
    .select(["email_key", "verdict"])
    .where("email_key", "in", keys)
    .where("import_id", "=", id)
    .where("line", "<", line)
    .where("verdict", "not in", ["", "invalid"])
    .execute();
  for (const { email_key, verdict } of rows) note(earlier, email_key, verdict);
  return earlier;
}

function note(earlier: Map<string, Set<string>>, key: string, verdict: string): void {
  earlier.set(key, (earlier.get(key) ?? new Set()).add(verdict));
}

/** Returns which of these addresses are somebody's already: of a person, or of a submission in any state. */
async function listKnown(read: Read, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const people = await read.selectFrom("people").select("email_key").where("email_key", "in", keys).execute();
  const known = new Set(people.map(({ email_key }) => email_key));
  const fill = await read.selectFrom("people_fill").select("finished_at").executeTakeFirst();
  if (!fill || fill.finished_at !== null) return known;
  // Not everybody has their row yet (fill-people.server.ts).
  const submissions = await read
    .selectFrom("submissions")
    .select("email_key")
    .distinct()
    .where("kind", "in", SUBMISSION_KINDS)
    .where("state", "in", SUBMISSION_STATES)
    .where("email_key", "in", keys)
    .execute();
  return new Set([...known, ...submissions.map(({ email_key }) => email_key)]);
}

async function listSuppressed(read: Read, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await read
    .selectFrom("suppressions")
    .select("email_key")
    .where("email_key", "in", keys)
    .execute();
  return new Set(rows.map(({ email_key }) => email_key));
}

/**
 * Returns the submissions of these lines whose people an undo leaves: who got an email since, at any address they had,
 * are about to get one, or are invited or joined.
 */
async function listKept(trx: Write, lines: readonly StoredLine[], since: number): Promise<Set<string>> {
  const ids = lines.flatMap(({ submission_id }) => submission_id ?? []);
  if (ids.length === 0) return new Set();
  // What was sent before a correction of the address stays under the old one.
  const owners = await trx
    .selectFrom("submissions")
    .leftJoin("people", "people.email_key", "submissions.email_key")
    .leftJoin("person_corrections", "person_corrections.person_id", "people.id")
    .leftJoin("wave_invitations", "wave_invitations.person_id", "people.id")
    .select(["submissions.id", "submissions.email_key", "people.id as person_id", "former_key"])
    .select("wave_invitations.id as invitation_id")
    .where("submissions.id", "in", ids)
    .execute();
  const writtenTo = await listWrittenTo(
    trx,
    owners.flatMap(({ email_key, former_key }) => [email_key, ...(former_key ? [former_key] : [])]),
    since,
  );
  const chosen = await listChosen(
    trx,
    owners.flatMap(({ person_id }) => person_id ?? []),
  );
  const kept = owners.filter(
    ({ email_key, former_key, person_id, invitation_id }) =>
      writtenTo.has(email_key) ||
      writtenTo.has(former_key ?? "") ||
      chosen.has(person_id ?? "") ||
      invitation_id !== null,
  );
  return new Set(kept.map(({ id }) => id));
}

/** Returns which of these people campaigns are about to write to whose deliveries are not created yet. */
async function listChosen(read: Read, personIds: readonly string[]): Promise<Set<string>> {
  if (personIds.length === 0) return new Set();
  // By the index of each campaign, as in frozen-people.server.ts.
  const rows = await read
    .selectFrom("campaigns")
    .crossJoin("campaign_people")
    .select("person_id")
    .whereRef("campaign_people.campaign_id", "=", "campaigns.id")
    .where("person_id", "in", personIds)
    .execute();
  return new Set(rows.map(({ person_id }) => person_id));
}

/** Returns which of these addresses got an email since, or are about to get one. */
async function listWrittenTo(read: Read, keys: readonly string[], since: number): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  // By the index of each campaign, as in delivery-person-data.server.ts.
  const deliveries = await read
    .selectFrom("campaigns")
    .crossJoin("deliveries")
    .select("deliveries.email_key")
    .whereRef("deliveries.campaign_id", "=", "campaigns.id")
    .where("deliveries.email_key", "in", keys)
    .where("deliveries.state", "!=", "skipped")
    .where("deliveries.updated_at", ">=", since)
    .execute();
  const others = await read
    .selectFrom("transactional_emails")
    .select("email_key")
    .where("email_key", "in", keys)
    .where("state", "!=", "skipped")
    .where("created_at", ">=", since)
    .execute();
  return new Set([...deliveries, ...others].map(({ email_key }) => email_key));
}

const IDS_A_MS = 1000;

/**
 * Creates the id of a submission that was sent at that time, because tables are ordered by id. The ids of one second are
 * spread over its milliseconds by line: of one millisecond the search can number only some thousands.
 */
function createIdAt(at: number, line: number): string {
  return v7({ msecs: Math.floor(at / IDS_A_MS) * IDS_A_MS + (line % IDS_A_MS) });
}
