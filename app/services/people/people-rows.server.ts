import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { PeopleTable } from "~/db/tables/people";
import type { SubmissionsTable } from "~/db/tables/submissions";
import { getDomain } from "~/lib/example-domain";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { indexNewPeople, indexPeople, unindexPeople } from "~/services/search/search-index.server";
import { FORM_BITS } from "./person-forms";
import { UNKNOWN_SOURCE } from "~/lib/source";
import { SUBMISSION_STATES, type SubmissionState } from "~/services/submissions/submission-state";

/*
 * The rows of people follow from their submissions, and `confirmed_at` also from what `noteConfirmation` was told. They are
 * written in the transaction that stores, changes or erases a submission, by submission-states.server.ts. People of an
 * earlier version are added by fill-people.server.ts, or before that where a change needs their row: by `findOrAddPerson`
 * and corrections.server.ts.
 */

type AcceptedSubmission = Pick<
  SubmissionsTable,
  "id" | "kind" | "email" | "email_key" | "name" | "company" | "role" | "created_at" | "source"
>;

/**
 * Adds the people of new accepted submissions, or what they say of known ones.
 * @param submissions of different addresses.
 */
export async function addToPeople(trx: Write, submissions: readonly AcceptedSubmission[]): Promise<void> {
  if (submissions.length === 0) return;
  const people = submissions.map(
    ({ id, kind, email, email_key, name, company, role, created_at, source }) => ({
      id,
      email_key,
      email,
      email_domain: getDomain(email_key),
      name,
      company,
      role,
      forms: FORM_BITS[kind],
      source,
      first_signup_at: created_at,
      // Also of somebody whose earlier forms were all deleted.
      confirmed_at: sql<number | null>`(
        select confirmed_at from confirmations where confirmations.email_key = ${email_key}
      )`,
    }),
  );
  const written = await trx
    .insertInto("people")
    // In one order, so that transactions do not deadlock.
    .values(people.toSorted((a, b) => (a.email_key < b.email_key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column("email_key").doUpdateSet({
        email: sql`excluded.email`,
        name: typedLast("name"),
        company: typedLast("company"),
        role: typedLast("role"),
        forms: sql`people.forms | excluded.forms`,
        first_signup_at: sql`coalesce(people.first_signup_at, excluded.first_signup_at)`,
        source: sql`case when people.first_signup_at is null then excluded.source else people.source end`,
      }),
    )
    .returning(["id", "email_key", "name", "email", "company", "first_signup_at"])
    .execute();
  // Whoever is known has the id of another submission.
  const added = new Map(people.map(({ id, email_key }) => [email_key, id]));
  const isNew = ({ id, email_key }: { id: string; email_key: string }) => added.get(email_key) === id;
  await indexNewPeople(trx, written.filter(isNew));
  const known = written.filter((person) => !isNew(person));
  await indexPeople(trx, known);
  // An imported submission may be older than the one by which its person became known meanwhile.
  const older = known.filter(({ id, email_key }) => (added.get(email_key) ?? "") < id);
  await refreshPeople(trx, older);
}

/** Notes when a person confirmed their address: a fact that stays when they are asked again. */
export async function noteConfirmation(trx: Write, email_key: string, confirmed_at: number): Promise<void> {
  await trx.updateTable("people").set({ confirmed_at }).where("email_key", "=", email_key).execute();
}

/** What a person typed last into a field that may be left empty; what was never accepted does not count. */
function typedLast(column: "name" | "company" | "role") {
  const [known, added] = [sql.ref(`people.${column}`), sql.ref(`excluded.${column}`)];
  return sql<string>`case when people.first_signup_at is null or ${added} <> '' then ${added} else ${known} end`;
}

/**
 * Gives a person an address, which is nobody else's, before `refreshPeople` writes everything else: so they keep their id, and
 * what stands under it. One that a merge removed is added again.
 */
export async function setPersonAddress(
  trx: Write,
  { id, email_key }: Pick<PeopleTable, "id" | "email_key">,
): Promise<void> {
  const email_domain = getDomain(email_key);
  await trx
    .insertInto("people")
    .values({
      id,
      email_key,
      email: "",
      email_domain,
      name: "",
      company: "",
      role: "",
      first_signup_at: null,
      source: UNKNOWN_SOURCE,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ email_key, email_domain, confirmed_at: null }),
    )
    .execute();
}

/**
 * Rewrites the people of submissions from all that is stored of theirs; who has none any more goes.
 * @param of submissions that were changed or erased, any number of one person's.
 */
export async function refreshPeople(
  trx: Write,
  of: readonly Pick<SubmissionsTable, "email_key">[],
): Promise<void> {
  const keys = [...new Set(of.map(({ email_key }) => email_key))].sort();
  if (keys.length === 0) return;
  // Of two that refresh one person, the second sees what the first has changed.
  const locked = trx.selectFrom("people").select("email_key").where("email_key", "in", keys);
  const rows = await locked.orderBy("email_key").forUpdate().execute();
  const known = new Set(rows.map(({ email_key }) => email_key));
  const submissions = Map.groupBy(await readSubmissions(trx, keys), (row) => row.email_key);
  const confirmations = await readConfirmations(trx, keys);
  const people = keys.flatMap((key) => {
    const sent = submissions.get(key);
    return sent ? { ...toPerson(key, sent), confirmed_at: confirmations.get(key) ?? null } : [];
  });
  if (people.length > 0) {
    const written = await trx
      .insertInto("people")
      .values(people)
      .onConflict((conflict) =>
        conflict.column("email_key").doUpdateSet(({ ref }) => ({
          email: ref("excluded.email"),
          name: ref("excluded.name"),
          company: ref("excluded.company"),
          role: ref("excluded.role"),
          forms: ref("excluded.forms"),
          first_signup_at: ref("excluded.first_signup_at"),
          confirmed_at: sql`coalesce(excluded.confirmed_at, people.confirmed_at)`,
          source: ref("excluded.source"),
        })),
      )
      .returning(["id", "name", "email", "company", "first_signup_at"])
      .execute();
    await indexPeople(trx, written);
  }
  const gone = keys.filter((key) => !submissions.has(key));
  if (gone.length > 0) {
    const erased = await trx.deleteFrom("people").where("email_key", "in", gone).returning("id").execute();
    await unindexPeople(
      trx,
      erased.map(({ id }) => id),
    );
  }
  // New rows could not be locked before their submissions were read; now they are ours.
  const added = people.filter(({ email_key }) => !known.has(email_key));
  await refreshPeople(trx, added);
}

/** Newest submissions of a form and a state that tell who the person is; older ones only tell since when. */
const TELLING = 20;

/** Reads the newest submissions of each form and state, and the first one; newest first. */
async function readSubmissions(trx: Write, keys: readonly string[]) {
  const ranked = trx
    .selectFrom("submissions")
    .select(({ fn }) => [
      "id",
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy(["kind", "state", "email_key"]).orderBy("id", "desc"))
        .as("from_newest"),
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy(["kind", "state", "email_key"]).orderBy("id", "asc"))
        .as("from_first"),
    ])
    // Written out, so that each is a part of one index.
    .where("kind", "in", SUBMISSION_KINDS)
    .where("state", "in", SUBMISSION_STATES)
    .where("email_key", "in", keys);
  const telling = trx
    .selectFrom(ranked.as("ranked"))
    .select("id")
    .where((row) => row.or([row("from_newest", "<=", TELLING), row("from_first", "=", 1)]));
  return trx
    .selectFrom("submissions")
    .select(["id", "kind", "state", "email_key", "email", "name", "company", "role", "created_at", "source"])
    .where("id", "in", telling)
    .orderBy("id", "desc")
    .execute();
}

async function readConfirmations(trx: Write, keys: readonly string[]) {
  const confirmations = trx.selectFrom("confirmations").select(["email_key", "confirmed_at"]);
  const rows = await confirmations.where("email_key", "in", keys).execute();
  return new Map(rows.map(({ email_key, confirmed_at }) => [email_key, confirmed_at]));
}

type StoredSubmission = Awaited<ReturnType<typeof readSubmissions>>[number];

/** The states in the order in which they say who a person is: anybody can send a form with somebody's address. */
const BY_TRUST: readonly SubmissionState[] = ["accepted", "deleted", "unconfirmed", "quarantined"];

/** Selects the submissions that say who a person is: those of the most trusted state that there is. */
export function selectTelling<Row extends { readonly state: SubmissionState }>(rows: readonly Row[]): Row[] {
  const trusted = BY_TRUST.find((state) => rows.some((row) => row.state === state));
  return rows.filter(({ state }) => state === trusted);
}

function toPerson(email_key: string, rows: readonly StoredSubmission[]) {
  const telling = selectTelling(rows);
  const trusted = telling[0]?.state;
  const last = (column: "email" | "name" | "company" | "role") =>
    telling.find((row) => row[column] !== "")?.[column] ?? "";
  const first = trusted === "accepted" ? telling.at(-1) : undefined;
  return {
    id: rows.at(-1)?.id ?? "",
    email_key,
    email: last("email"),
    email_domain: getDomain(email_key),
    name: last("name"),
    company: last("company"),
    role: last("role"),
    forms: trusted === "accepted" ? telling.reduce((bits, { kind }) => bits | FORM_BITS[kind], 0) : 0,
    first_signup_at: first?.created_at ?? null,
    source: first?.source ?? UNKNOWN_SOURCE,
  };
}
