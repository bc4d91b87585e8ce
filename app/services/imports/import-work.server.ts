import { sql } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import { v7 } from "uuid";
import type { Read, Write } from "~/db/database.server";
import { seconds } from "~/lib/durations";
import { emailKey } from "~/lib/email-address";
import { readImportLine, type ReadLine } from "~/lib/import-line";
import { isDatabaseUnavailable } from "~/lib/is-database-unavailable";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import { SYSTEM, createAudit } from "~/services/audit/audit.server";
import { mirrorQueue, noMirror } from "~/services/mirrors/mirror-rows.server";
import type { ServiceDeps } from "~/services/service-deps";
import { limitSubmissionSources } from "~/services/sources/submission-sources.server";
import { insertSubmissions } from "~/services/submissions/submission-states.server";
import { SUBMISSION_STATES } from "~/services/submissions/submission-state";
import {
  addCurrentAddresses,
  optOut,
  suppress,
  type Suppression,
} from "~/services/suppressions/suppressions.server";
import { formatSubject } from "./import-subject";
import {
  countChanges,
  getCells,
  getReading,
  lockImport,
  selectNextLines,
  updateImport,
  updateLines,
  type ImportRow,
} from "./import-rows.server";
import { undoLines } from "./import-undo.server";
import { COUNT_COLUMNS, UNDO_MS, WORKING, type StoredLine } from "./import-state";

/** Lines of a piece, which is one transaction: on SQLite other writes wait for it, some 20 to 100 ms. */
const PIECE = 25;
/** Version of the wording of an imported consent. */
const CONSENT_VERSION = "import-1";

export interface ImportWorkDeps extends ServiceDeps {
  /** A part of a pino logger. */
  readonly log: { error(fields: object, message: string): void };
}

/**
 * Does the work that imports have now, piece by piece, and waits after each piece as long as it took: so other writes get
 * their turn. Where an import is up to is stored with each piece under the lock of its row: so it goes on after a kill, and
 * instances take turns.
 * @param isStopping asked before each piece: whether to leave the rest.
 */
export async function workOnImports(deps: ImportWorkDeps, isStopping = () => false): Promise<void> {
  for (;;) {
    const id = await findWork(deps.database.read, deps.clock());
    if (id === undefined || isStopping()) return;
    const began = performance.now();
    await workOnPiece(deps, id);
    await pause(performance.now() - began);
  }
}

/** Finds the first import that has work, in the order in which they were uploaded. @returns its id. */
export async function findWork(read: Read, now: number): Promise<string | undefined> {
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
async function workOnPiece(deps: ImportWorkDeps, id: string): Promise<void> {
  try {
    await workOnLines(deps, id, PIECE);
  } catch (err) {
    if (isDatabaseUnavailable(err)) throw err;
    deps.log.error({ err, import: id }, "lines of an import failed, and are done one by one");
    for (let done = 0; done < PIECE; done += 1) await workOnLine(deps, id);
  }
}

async function workOnLine(deps: ImportWorkDeps, id: string): Promise<void> {
  const places = deps.database.read.selectFrom("imports").select(["state", "last_line"]);
  const place = await places.where("id", "=", id).executeTakeFirst();
  try {
    await workOnLines(deps, id, 1);
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
    const before = await selectNextLines(trx, row).limit(1).executeTakeFirst();
    if (!before) return undefined;
    const isUnstored = state === "checking" || state === "running";
    const verdict = isUnstored ? "invalid" : before.verdict;
    const after: StoredLine = { ...before, verdict, reason: "failed" };
    await updateLines(trx, id, [after]);
    // What an earlier dry run said of it is not counted.
    const changes = countChanges(state === "checking" ? [] : [before], [after]);
    // An undo leaves the person of such a line.
    const kept = state === "undoing" && after.submission_id !== null ? 1 : 0;
    await updateImport(trx, row, {
      ...addCounts(row, changes),
      kept_count: row.kept_count + kept,
      last_line: after.line,
    });
    return after.line;
  });
}

/**
 * Does what an import's state asks for with its next lines, in one transaction.
 * @param limit how many lines.
 * @returns whether there may be more.
 */
export function workOnLines(deps: ServiceDeps, id: string, limit: number): Promise<boolean> {
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
    await updateImport(trx, row, { state: "checked", last_line: 0 });
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
    // An invalid line keeps the address in another column, by which an erasure finds it.
    const email_key = one.email_key || line.email_key;
    const done = { ...line, email_key, ...judge(line, one, { earlier, known, suppressed }) };
    if (done.verdict !== "invalid") earlier.add(done.email_key);
    return done;
  });
  const stopped = new Set(
    judged.flatMap(({ email_key, reason }) => (reason === "status" ? [email_key] : [])),
  );
  const after = judged.map((line) =>
    line.verdict === "new" && stopped.has(line.email_key) ? { ...line, ...SUPPRESSED_BELOW } : line,
  );
  await updateLines(trx, row.id, after);
  // Verdicts of an earlier dry run were taken off when this one began.
  const changes = countChanges([], after);
  const moved = await suppressLinesAbove(trx, row, [...stopped], before[0]?.line ?? 0);
  changes.new_count -= moved;
  changes.suppressed_count += moved;
  await updateImport(trx, row, { ...addCounts(row, changes), last_line: after.at(-1)?.line ?? 0 });
  return true;
}

/** What becomes of a new line when a later one says that nobody may write to the address: nobody is imported by it. */
const SUPPRESSED_BELOW = { verdict: "suppressed", reason: "status-below" } as const;

/** Marks new lines before a line that have these addresses as suppressed. @returns how many. */
async function suppressLinesAbove(
  trx: Write,
  { id }: ImportRow,
  keys: readonly string[],
  line: number,
): Promise<number> {
  if (keys.length === 0) return 0;
  const { numUpdatedRows } = await trx
    .updateTable("import_lines")
    .set(SUPPRESSED_BELOW)
    .where("email_key", "in", keys)
    .where("import_id", "=", id)
    .where("line", "<", line)
    .where("verdict", "=", "new")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

interface Facts {
  /** Addresses of earlier lines that are valid. */
  readonly earlier: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly suppressed: ReadonlySet<string>;
}

/**
 * A line that says that nobody may write to the address counts wherever it stands: of several perhaps only one is an opt-out.
 * Otherwise the first line of an address does.
 */
function judge(
  { reason }: StoredLine,
  line: ReadLine,
  { earlier, known, suppressed }: Facts,
): Pick<StoredLine, "verdict" | "reason"> {
  // Its cells are gone, with the address.
  if (reason === "erased") return { verdict: "invalid", reason };
  if (line.kind === "invalid") return { verdict: "invalid", reason: line.reason };
  if (line.kind === "stop") return { verdict: "suppressed", reason: "status" };
  if (earlier.has(line.email_key)) return { verdict: "duplicate", reason: "repeated" };
  if (suppressed.has(line.email_key)) return { verdict: "suppressed", reason: "listed" };
  if (known.has(line.email_key)) return { verdict: "known", reason: "known" };
  return { verdict: "new", reason: "" };
}

/** Stores the next new lines as submissions, and suppresses the addresses to which nobody may write, by the file. */
async function runLines(trx: Write, deps: ServiceDeps, row: ImportRow, limit: number): Promise<boolean> {
  const now = deps.clock();
  const before = await selectNextLines(trx, row).limit(limit).execute();
  if (before.length === 0) {
    await updateImport(trx, row, { state: "finished", last_line: 0, finished_at: now });
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
    const { verdict, reason } = judge(line, one, { earlier: new Set(), known, suppressed });
    if (verdict !== "new" || one.kind !== "person") return { ...line, verdict, reason };
    const submission_id = createIdAt(one.signedUpAt ?? now, line.line);
    people.set(submission_id, one);
    return { ...line, submission_id };
  });
  await storePeople(trx, row, people, now);
  await updateLines(trx, row.id, after);
  await updateImport(trx, row, {
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

/**
 * Suppresses the addresses of lines that say that nobody may write to them.
 * @returns the ids of the suppressions that are new, by address.
 */
async function addSuppressions(
  trx: Write,
  { newId }: ServiceDeps,
  row: ImportRow,
  lines: readonly ReadLine[],
): Promise<Map<string, string>> {
  const suppressions = toSuppressions(row, lines);
  if (suppressions.length === 0) return new Map();
  const ids: string[] = [];
  const noteId = () => {
    const id = newId();
    ids.push(id);
    return id;
  };
  // As old as the import: an undo tells them by that from what corrections have carried on since.
  await suppress(trx, noteId, "imported", suppressions, row.started_at ?? row.created_at);
  const rows = await trx
    .selectFrom("suppressions")
    .select(["id", "email_key"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, email_key }) => [email_key, id]));
}

/** Returns what the suppression list says of lines that say that nobody may write to the address. */
const toSuppressions = ({ file_name }: ImportRow, lines: readonly ReadLine[]): Suppression[] =>
  lines
    .filter((line) => line.kind === "stop")
    .map(({ email, detail }) => ({ address: email, detail: `${detail} (${file_name})`, deliveryId: null }));

/** Does what waits until the import can no longer be undone, for the next lines. After an undo: for the people it kept. */
async function settleLines(trx: Write, deps: ServiceDeps, row: ImportRow, limit: number): Promise<boolean> {
  const now = deps.clock();
  if (row.settled_at !== null) return false;
  if (row.state !== "undone" && (row.finished_at ?? now) > now - UNDO_MS) return false;
  const lines = await selectNextLines(trx, row).limit(limit).execute();
  if (row.is_mirrored === 1) await mirrorSubmissions(trx, row, lines);
  await keepOptOuts(trx, deps, row, lines);
  const isLast = lines.length < limit;
  await updateImport(trx, row, { last_line: lines.at(-1)?.line ?? 0, settled_at: isLast ? now : null });
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

/**
 * Marks opt-outs as what they are: nobody releases them without a reason, and an erasure leaves them. Whoever opted out at an
 * address that was corrected since opted out at the new one too.
 */
async function keepOptOuts(
  trx: Write,
  { clock, newId }: ServiceDeps,
  row: ImportRow,
  lines: readonly StoredLine[],
): Promise<void> {
  const reading = getReading(row);
  const now = clock();
  const stops = lines
    .filter(({ verdict }) => verdict === "suppressed")
    .map((line) => readImportLine(getCells(line), reading, now))
    .filter((line) => line.kind === "stop" && line.isOptOut);
  const keys = stops.map(({ email_key }) => email_key);
  // An address may have been released since.
  const listed = await listSuppressed(trx, keys);
  const still = stops.filter(({ email_key }) => listed.has(email_key));
  const optOuts = await addCurrentAddresses(trx, toSuppressions(row, still));
  if (optOuts.length === 0) return;
  // Only new addresses: a listed one may be released at this moment.
  const current = optOuts.filter(({ address }) => !listed.has(emailKey(address)));
  await suppress(trx, newId, "imported", current, now);
  // By address: it may have been on the list before, and another reason may have replaced this one since.
  const all = optOuts.map(({ address }) => emailKey(address));
  await optOut(trx, all);
}

function addCounts(row: ImportRow, changes: ReturnType<typeof countChanges>) {
  return Object.fromEntries(
    Object.values(COUNT_COLUMNS).map((column) => [column, row[column] + changes[column]]),
  ) as typeof changes;
}

/** Returns which of these addresses earlier lines have that are valid. */
async function listEarlier(
  trx: Write,
  { id }: ImportRow,
  keys: readonly string[],
  line: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await trx
    .selectFrom("import_lines")
    .select("email_key")
    .distinct()
    .where("email_key", "in", keys)
    .where("import_id", "=", id)
    .where("line", "<", line)
    .where("verdict", "not in", ["", "invalid"])
    .execute();
  return new Set(rows.map(({ email_key }) => email_key));
}

/**
 * Returns which of these addresses are somebody's already: of a person, also before it was corrected, or of a submission in
 * any state.
 */
async function listKnown(read: Read, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const people = await read.selectFrom("people").select("email_key").where("email_key", "in", keys).execute();
  const corrections = await read
    .selectFrom("person_corrections")
    .select("former_key")
    .where("former_key", "in", keys)
    // Literal, not bound: the partial index is used only then.
    .where(sql<boolean>`former_key <> ''`)
    .where("undone_at", "is", null)
    .execute();
  const known = new Set([
    ...people.map(({ email_key }) => email_key),
    ...corrections.map(({ former_key }) => former_key),
  ]);
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

const SECOND_MS = seconds(1);

/**
 * Creates the id of a submission that was sent at that time, because tables are ordered by id. The ids of one second are
 * spread over its milliseconds by line: of one millisecond the search can number only some thousands.
 */
function createIdAt(at: number, line: number): string {
  return v7({ msecs: Math.floor(at / SECOND_MS) * SECOND_MS + (line % SECOND_MS) });
}
