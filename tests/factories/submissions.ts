import { sql } from "kysely";
import { expect } from "vitest";
import type { Database } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables/submissions";
import { days } from "~/lib/durations";
import { emailKey } from "~/lib/email-address";
import { getLeastUuid } from "~/lib/uuid";
import { noMirror } from "~/services/mirrors/mirror-rows.server";
import { refreshPeople } from "~/services/people/people-rows.server";
import { newId } from "~/services/service-deps";
import { createDeletions } from "~/services/submissions/deletions.server";
import { insertSubmissions } from "~/services/submissions/submission-states.server";
import { createSubmissions } from "~/services/submissions/submissions.server";
import { createTestClock } from "./time";
import { searchDocument } from "~/lib/search-words";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import { SUBMISSION_SORTS, type SubmissionOrder } from "~/services/submissions/submission-filter";

type Submission = Omit<
  SubmissionsTable,
  | "email_key"
  | "audience_position"
  | "deletion_id"
  | "answered_at"
  | "answered_by"
  | "notify"
  | "import_id"
  | "is_mirrored"
>;

const CONSENT = { wording: "I agree", wording_version: "1", network: "" };

/** Creates submissions, their search and their deletions on a database, with a clock the test moves. */
export function createTestSubmissions(database: Database, options: { maxSorted?: number } = {}) {
  const clock = createTestClock();
  const submissions = createSubmissions({ database, ...options });
  const deletions = createDeletions({ database, submissions, clock, newId });
  return { clock, submissions, deletions };
}

let stored = 0;

/** Makes an id as if it were created at that time. */
function createIdAt(at: number): string {
  stored += 1;
  return `${getLeastUuid(at).slice(0, 14)}7000-8000-${stored.toString(16).padStart(12, "0")}`;
}

/**
 * Stores submissions by the service that forms use, with all derived rows, 500 a transaction; resolves with their
 * ids. Those of one form and transaction share a position in its audience.
 */
export async function storeSubmissions(
  database: Database,
  differing: readonly Partial<Submission>[],
): Promise<string[]> {
  const rows = differing.map((fields) => {
    const created_at = fields.created_at ?? Date.UTC(2026, 10, 21, 8);
    const row: Submission = {
      ...EMPTY_FIELDS,
      id: createIdAt(created_at),
      kind: "early-access",
      state: "accepted",
      quarantine_reason: "",
      name: "Ada Byron",
      email: "ada@example.com",
      created_at,
      source: "direct",
      admitted_at: null,
      ...fields,
    };
    return { ...row, email_key: emailKey(row.email) };
  });
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500);
    await database.write((trx) => insertSubmissions(trx, some, CONSENT, noMirror));
  }
  return rows.map(({ id }) => id);
}

/** Expects the stored counts by state, by day and by source, the search index and the people to agree with the rows. */
export async function expectCountsToAgree(database: Database): Promise<void> {
  const { read } = database;
  const byState = read
    .selectFrom("submissions")
    .select(({ fn }) => ["kind", "state", fn.countAll<number>().as("count")])
    .groupBy(["kind", "state"]);
  const counts = read
    .selectFrom("submission_counts")
    .select(["kind", "state", "count"])
    .where("count", "!=", 0);
  expect(await counts.orderBy("kind").orderBy("state").execute()).toEqual(
    await byState.orderBy("kind").orderBy("state").execute(),
  );
  const day = sql<number>`created_at - created_at % ${sql.lit(days(1))}`;
  const accepted = read.selectFrom("submissions").where("state", "=", "accepted");
  const byDay = accepted
    .select(({ fn }) => ["kind", day.as("day"), fn.countAll<number>().as("count")])
    .groupBy(["kind", day]);
  const dayCounts = read.selectFrom("submission_days").selectAll().where("count", "!=", 0);
  expect(await dayCounts.orderBy("kind").orderBy("day").execute()).toEqual(
    await byDay.orderBy("kind").orderBy("day").execute(),
  );
  const bySource = accepted
    .select(({ fn }) => ["kind", day.as("day"), "source", fn.countAll<number>().as("count")])
    .groupBy(["kind", day, "source"]);
  const sourceCounts = read.selectFrom("submission_sources").selectAll().where("count", "!=", 0);
  expect(await sourceCounts.orderBy("kind").orderBy("day").orderBy("source").execute()).toEqual(
    await bySource.orderBy("kind").orderBy("day").orderBy("source").execute(),
  );
  const indexed = read.selectFrom("submission_documents").select("id").where("id", "is not", null);
  expect(await indexed.orderBy("id").execute()).toEqual(await accepted.select("id").orderBy("id").execute());
  const inquiries = read.selectFrom("inquiry_documents").select("submission_id as id");
  expect(await inquiries.orderBy("submission_id").execute()).toEqual(
    await accepted.where("kind", "=", "contact-form").select("id").orderBy("id").execute(),
  );
  await expectPeopleToAgree(database);
}

/** Expects the stored counts of the funnel to be those of the people and their invitations. */
export async function expectFunnelToAgree({ read }: Database): Promise<void> {
  const day = sql<number>`first_signup_at - first_signup_at % ${sql.lit(days(1))}`;
  const sum = (condition: string) => sql<number>`sum(case when ${sql.raw(condition)} then 1 else 0 end)`;
  const counted = await read
    .selectFrom("people")
    .leftJoin("wave_invitations as one", "one.person_id", "people.id")
    .select(({ fn }) => [day.as("day"), "source", fn.countAll<number>().as("signups")])
    .select([
      sum("confirmed_at is not null").as("confirmed"),
      sum("one.state in ('invited', 'joined') and one.campaign_id is not null").as("invited"),
      sum("one.state = 'joined' and one.campaign_id is not null").as("joined"),
      sum("one.state = 'joined' and one.campaign_id is null").as("uninvited"),
    ])
    .where("first_signup_at", "is not", null)
    .groupBy([day, "source"])
    .orderBy(day)
    .orderBy("source")
    .execute();
  const stored = await read
    .selectFrom("funnel_counts")
    .select(({ fn }) => [
      "day",
      "source",
      fn.sum("signups").as("signups"),
      fn.sum("confirmed").as("confirmed"),
    ])
    .select(({ fn }) => [fn.sum("invited").as("invited"), fn.sum("joined").as("joined")])
    .select(({ fn }) => fn.sum("uninvited").as("uninvited"))
    .groupBy(["day", "source"])
    .orderBy("day")
    .orderBy("source")
    .execute();
  const toNumbers = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ source, ...counts }) => ({
      source,
      ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
    }));
  const isLeft = ({ signups, confirmed, invited, joined, uninvited }: Record<string, unknown>) =>
    [signups, confirmed, invited, joined, uninvited].some((count) => Number(count) !== 0);
  expect(toNumbers(stored.filter(isLeft))).toEqual(toNumbers(counted));
}

/** Expects everybody who sent a submission to be among the people, as these would be written anew. */
export async function expectPeopleToAgree(database: Database): Promise<void> {
  const { read, write } = database;
  await expectFunnelToAgree(database);
  const list = () => read.selectFrom("people").selectAll().orderBy("email_key").execute();
  const people = await list();
  const keys = read.selectFrom("submissions").select("email_key").distinct().orderBy("email_key");
  expect(people.map(({ email_key }) => email_key)).toEqual(
    (await keys.execute()).map(({ email_key }) => email_key),
  );
  const documents = read.selectFrom("people_documents").select(["id", "words"]).where("id", "is not", null);
  expect(await documents.orderBy("id").execute()).toEqual(
    people
      .filter(({ first_signup_at }) => first_signup_at !== null)
      .map(({ id, ...person }) => ({ id, words: searchDocument(person) }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  );
  await write((trx) => refreshPeople(trx, people));
  expect(await list()).toEqual(people);
}

/** Every order of a table. */
export const ORDERS: readonly SubmissionOrder[] = (
  Object.keys(SUBMISSION_SORTS) as SubmissionOrder["sort"][]
).flatMap((sort) => (["asc", "desc"] as const).map((direction) => ({ sort, direction })));
