import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { PeopleTable } from "~/db/tables/people";
import type { SubmissionsTable } from "~/db/tables/submissions";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { SUBMISSION_STATES, type SubmissionState } from "~/services/submissions/submission-state";

/*
 * The rows of people follow from their submissions. They are written in the transaction that stores, changes or erases
 * a submission, by submission-states.server.ts alone.
 */

type AcceptedSubmission = Pick<
  SubmissionsTable,
  "id" | "email" | "email_key" | "name" | "company" | "role" | "created_at"
>;

/** Adds the person of a new accepted submission, or what it says of a known one, in one statement. */
export async function addToPeople(trx: Write, submission: AcceptedSubmission): Promise<void> {
  const { id, email, email_key, name, company, role, created_at } = submission;
  const email_domain = getDomain(email_key);
  await trx
    .insertInto("people")
    .values({ id, email_key, email, email_domain, name, company, role, first_signup_at: created_at })
    .onConflict((conflict) =>
      conflict.column("email_key").doUpdateSet({
        email: sql`excluded.email`,
        name: typedLast("name"),
        company: typedLast("company"),
        role: typedLast("role"),
        first_signup_at: sql`coalesce(people.first_signup_at, excluded.first_signup_at)`,
      }),
    )
    .execute();
}

/** What a person typed last into a field that may be left empty; what was never accepted does not count. */
function typedLast(column: "name" | "company" | "role") {
  const [known, added] = [sql.ref(`people.${column}`), sql.ref(`excluded.${column}`)];
  return sql<string>`case when people.first_signup_at is null or ${added} <> '' then ${added} else ${known} end`;
}

/**
 * Writes the people of submissions anew from all that is stored of theirs; who has none any more goes.
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
  const people = keys.flatMap((key) => {
    const sent = submissions.get(key);
    return sent ? toPerson(key, sent) : [];
  });
  if (people.length > 0) {
    await trx
      .insertInto("people")
      .values(people)
      .onConflict((conflict) =>
        conflict.column("email_key").doUpdateSet(({ ref }) => ({
          email: ref("excluded.email"),
          name: ref("excluded.name"),
          company: ref("excluded.company"),
          role: ref("excluded.role"),
          first_signup_at: ref("excluded.first_signup_at"),
        })),
      )
      .execute();
  }
  const gone = keys.filter((key) => !submissions.has(key));
  if (gone.length > 0) await trx.deleteFrom("people").where("email_key", "in", gone).execute();
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
    .select(["id", "state", "email_key", "email", "name", "company", "role", "created_at"])
    .where("id", "in", telling)
    .orderBy("id", "desc")
    .execute();
}

type StoredSubmission = Awaited<ReturnType<typeof readSubmissions>>[number];

/** The states in the order in which they say who a person is: anybody can send a form with somebody's address. */
const BY_TRUST: readonly SubmissionState[] = ["accepted", "deleted", "unconfirmed", "quarantined"];

function toPerson(email_key: string, rows: readonly StoredSubmission[]): PeopleTable {
  const trusted = BY_TRUST.find((state) => rows.some((row) => row.state === state));
  const telling = rows.filter(({ state }) => state === trusted);
  const last = (column: "email" | "name" | "company" | "role") =>
    telling.find((row) => row[column] !== "")?.[column] ?? "";
  return {
    id: rows.at(-1)?.id ?? "",
    email_key,
    email: last("email"),
    email_domain: getDomain(email_key),
    name: last("name"),
    company: last("company"),
    role: last("role"),
    first_signup_at: trusted === "accepted" ? (telling.at(-1)?.created_at ?? null) : null,
  };
}

const getDomain = (emailKey: string) => emailKey.slice(emailKey.lastIndexOf("@") + 1);
