import { sql } from "kysely";
import { expect, it } from "vitest";
import { days } from "~/lib/durations";
import { periodsUntil } from "~/lib/periods";
import { getLeastUuid } from "~/lib/uuid";
import { countByPeriod } from "~/services/submissions/period-counts.server";
import {
  NEWEST_FIRST,
  type SubmissionFilter,
  type SubmissionOrder,
} from "~/services/submissions/submission-filter";
import { createTestSubmissions } from "../factories/submissions";
import { chooseSize, isFullSize } from "../sizes";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";

const COUNT = chooseSize({ daily: 20_000, full: 100_000 });
const START = Date.UTC(2026, 0, 1);
/** One of this many has the role "other", and its own source. */
const RARE = 1000;

/** Queries, and the index that both databases must use for each. */
const OLDEST: SubmissionOrder = { sort: "received", direction: "asc" };
const BY_NAME: SubmissionOrder = { sort: "name", direction: "asc" };
const BY_ADDRESS: SubmissionOrder = { sort: "address", direction: "desc" };
const BY_COMPANY: SubmissionOrder = { sort: "company", direction: "asc" };
const QUERIES: [Omit<SubmissionFilter, "kind">, SubmissionOrder, string][] = [
  [{}, NEWEST_FIRST, "submissions_listing"],
  [{}, OLDEST, "submissions_listing"],
  [{}, BY_NAME, "submissions_by_name"],
  [{}, BY_ADDRESS, "submissions_audience"],
  [{}, BY_COMPANY, "submissions_by_company"],
  [{ from: START + days(5), until: START + days(6) }, NEWEST_FIRST, "submissions_listing"],
  [{ since: START + days(8) }, NEWEST_FIRST, "submissions_listing"],
  [{ choice: "other" }, NEWEST_FIRST, "submissions_by_role"],
  [{ choice: "other" }, BY_NAME, "submissions_by_role"],
  [{ source: "rare" }, NEWEST_FIRST, "submissions_by_source"],
  [{ source: "rare" }, BY_NAME, "submissions_by_source"],
  [{ source: "direct" }, BY_NAME, "submissions_by_name"],
  [{ choice: "developer" }, BY_NAME, "submissions_by_name"],
  [{ choice: "developer" }, BY_ADDRESS, "submissions_audience"],
];

describeOnDatabases(`the tables of ${COUNT} submissions on %s`, ({ database, dialect }) => {
  // PostgreSQL scans a table of 20,000 rows where it uses an index among 100,000.
  const test = it.runIf(dialect === "sqlite" || isFullSize);

  // R27
  test("are read by an index, under every filter and order and on every page", async () => {
    await storeMany();
    const pages = QUERIES.flatMap(([filter, order, index]) =>
      (["before", "after"] as const).map((bound) => ({ filter, order, index, bound })),
    );
    for (const { filter, order, index, bound } of pages) {
      const page = { order, [bound]: toId(COUNT / 2), limit: 26 };
      const plans = await getPlans(database, (watched) =>
        createTestSubmissions(watched).submissions.ids({ kind: "early-access", ...filter }, page),
      );
      const query = `${JSON.stringify({ filter, order, bound })}: ${plans.join("\n")}`;
      expect(plans.join("\n"), query).toContain(index);
      expect(
        // PostgreSQL may end a scan at the limit where it knows that nearly all rows match.
        plans.filter(
          (line, at) =>
            /Seq Scan on submissions|SCAN submissions/.test(line) &&
            !/^ *-> *Limit/.test(plans[at - 1] ?? ""),
        ),
        query,
      ).toEqual([]);
    }
    const counted = await getPlans(database, (watched) =>
      createTestSubmissions(watched).submissions.countSince("early-access", START + days(8)),
    );
    expect(counted.join("\n")).toMatch(/submissions_listing/);
    const periods = periodsUntil(START + days(10), "day", "Europe/Berlin");
    const charted = await getPlans(database, (watched) => countByPeriod(watched.read, periods));
    expect(charted.join("\n")).toMatch(/submissions_listing|submissions_audience/);
    expect(charted.filter((line) => /Seq Scan on submissions\b|SCAN submissions\b/.test(line))).toEqual([]);
  }, 120_000);

  const toHex = (number: number) => (2 ** 40 + number).toString(16).padStart(12, "0");
  const toId = (number: number) =>
    `${getLeastUuid(START + days(number % 10)).slice(0, 14)}7000-8000-${toHex(number)}`;

  async function storeMany(): Promise<void> {
    const people = Array.from({ length: COUNT }, (_, number) => ({
      id: toId(number),
      name: `Person ${number % 7000}`,
      email: `p${number}@example.com`,
      role: number % RARE === 0 ? "other" : "developer",
      source: number % RARE === 0 ? "rare" : "direct",
      at: START + days(number % 10),
    }));
    for (let at = 0; at < COUNT; at += 5000) {
      const some = JSON.stringify(people.slice(at, at + 5000));
      const rows =
        dialect === "postgres"
          ? sql`select r->>'id' as id, r->>'name' as name, r->>'email' as email, r->>'role' as role, r->>'source' as source, (r->>'at')::bigint as at from jsonb_array_elements(${some}::jsonb) r`
          : sql`select value->>'id' as id, value->>'name' as name, value->>'email' as email, value->>'role' as role, value->>'source' as source, value->>'at' as at from json_each(${some})`;
      await database.write((trx) =>
        sql`insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role, inquiry_type,
          message, created_at, source)
          select id, 'early-access', 'accepted', '', name, email, email, name, role, '', '', at, source from (${rows}) as people`.execute(
          trx,
        ),
      );
    }
    if (dialect === "postgres") await sql`analyze`.execute(database.read);
  }
});
