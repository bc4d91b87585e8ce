import { beforeEach, describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, minutes } from "~/lib/durations";
import { CHOICES, MAIL_STATES, SUBMISSION_SORTS } from "~/services/submissions/submission-filter";
import type { SubmissionFilter, SubmissionSort } from "~/services/submissions/submission-filter";
import { dialects } from "../databases";
import { operator, suppress } from "../factories/outreach";
import { storeSubmissions, createTestSubmissions } from "../factories/submissions";
import { useDatabase } from "./use-database";

const START = Date.UTC(2026, 9, 1);
const day = (number: number) => START + days(number);

/** 240 early access signups of ten days, with ties in names and addresses, some of whom get no mail, and 60 inquiries. */
function crowd() {
  const early = Array.from({ length: 240 }, (_, index) => ({
    name: ["ada Byron", "Ada byron", "Grace Hopper", "Žižek", "Zoë 👩‍👩‍👧‍👦", ""][index % 6]!,
    email: `Person${index % 80}@Example.com`,
    role: (["", ...CHOICES["early-access"]] as const)[index % 5]!,
    created_at: day(Math.floor(index / 24)) + minutes(index % 7),
  }));
  const inquiries = Array.from({ length: 60 }, (_, index) => ({
    kind: "contact-form" as const,
    inquiry_type: CHOICES["contact-form"][index % 3]!,
    name: "Ada",
    email: `person${index}@example.com`,
    created_at: day(index),
  }));
  return [...early, ...inquiries];
}

const FILTERS: Omit<SubmissionFilter, "kind">[] = [
  {},
  { choice: "developer" },
  ...MAIL_STATES.map((mail) => ({ mail })),
  { from: day(2), until: day(5) },
  { search: "ada" },
  { search: "person1@" },
  { search: "nobody" },
  { choice: "manager", mail: "open", from: day(1), until: day(9) },
  { search: "byr", choice: "other", mail: "unsubscribed" },
];
const CASES = FILTERS.flatMap((filter) => SUBMISSION_SORTS.map((sort) => ({ filter, sort })));

describe.each(dialects)("the tables of submissions on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));
  beforeEach(async () => {
    await storeSubmissions(database, crowd());
    for (let person = 0; person < 12; person += 1) await suppress(database, `person${person}@example.com`);
    for (let person = 20; person < 24; person += 1) {
      await suppress(database, `person${person}@example.com`, "refused");
    }
  });

  it.each([
    ["few, which are sorted", {}],
    ["many, which are met on a walk", { few: 5 }],
  ])("show each match once on some page, in order, whatever is asked for, of %s (R27)", async (_, size) => {
    const { submissions } = createTestSubmissions(database, size);
    const all = await database.read
      .selectFrom("submissions")
      .leftJoin("suppressions", "suppressions.email_key", "submissions.email_key")
      .selectAll("submissions")
      .select("suppressions.reason")
      .where("kind", "=", "early-access")
      .execute();
    for (const { filter, sort } of CASES) {
      const expected = all.filter((row) => isMatch(row, filter)).map(({ id }) => id);
      let stoodBy = sort;
      const found: { id: string; name: string; email: string; created_at: number }[] = [];
      for (let after: string | undefined; ;) {
        const { rows, total, isTooCommon } = await submissions.list(
          { kind: "early-access", ...filter },
          { sort, after, limit: 7 },
        );
        if (total !== undefined) expect(total, JSON.stringify({ filter, sort })).toBe(expected.length);
        if (isTooCommon) stoodBy = "newest";
        found.push(...rows);
        if (rows.length < 7) break;
        after = rows.at(-1)?.id;
      }
      expect(found.map(({ id }) => id).toSorted(), JSON.stringify({ filter, sort })).toEqual(
        expected.toSorted(),
      );
      expectOrder(found, stoodBy);
    }
  });

  it("leave out what came later than what was seen, and what is not accepted", async () => {
    const { submissions } = createTestSubmissions(database);
    const filter = { kind: "updates-signup" } as const;
    const [first, second, third] = await storeSubmissions(
      database,
      [1, 2, 3].map((number) => ({ ...filter, created_at: day(number) })),
    );
    await storeSubmissions(database, [
      { ...filter, state: "unconfirmed" },
      { ...filter, state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    const page = { sort: "newest", limit: 9 } as const;
    const { rows, ...matches } = await submissions.list(filter, page);
    expect(rows.map(({ id }) => id)).toEqual([third, second, first]);
    expect(matches).toEqual({ total: 3, isTooCommon: false });
    expect(await submissions.newest("updates-signup")).toBe(third);
    expect((await submissions.ids({ ...filter, through: second }, page)).ids).toEqual([second, first]);
  });

  it("know their size where it is kept: of a form, and of days", async () => {
    const { submissions } = createTestSubmissions(database);
    const totalOf = async (filter: Partial<SubmissionFilter>) =>
      (await submissions.list({ kind: "early-access", ...filter }, { sort: "newest", limit: 1 })).total;
    expect(await totalOf({})).toBe(240);
    expect(await totalOf({ kind: "updates-signup" })).toBe(0);
    expect(await totalOf({ from: day(2), until: day(4) })).toBe(48);
    expect(await totalOf({ from: day(100) })).toBe(0);
    expect(await totalOf({ choice: "developer" })).toBeUndefined();
  });

  it("are taken away in batches that hold each match once, in the order of the page", async () => {
    const { submissions } = createTestSubmissions(database);
    await storeSubmissions(
      database,
      Array.from({ length: 450 }, (_, index) => ({
        name: `Bulk ${index % 3}`,
        email: `bulk${index}@example.com`,
      })),
    );
    const batches = [];
    for await (const batch of submissions.batches({ kind: "early-access", search: "bulk" }, "name")) {
      batches.push(batch);
    }
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 100, 100, 50]);
    expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(450);
    expectOrder(batches.flat(), "name");
  });

  it("write down who took a copy of what", async () => {
    const { submissions } = createTestSubmissions(database);
    await submissions.recordExport("early-access, role developer", operator);
    expect(
      await database.read.selectFrom("audit").select(["actor", "action", "subject", "outcome"]).execute(),
    ).toEqual([
      {
        actor: operator.by,
        action: "export-submissions",
        subject: "early-access, role developer",
        outcome: "ok",
      },
    ]);
  });

  it.each(["\0", "' or 1=1; --", "x".repeat(300), "00000000-0000-7000-8000-000000000000"])(
    "are not upset by a page after %j (R13)",
    async (after) => {
      const { submissions } = createTestSubmissions(database);
      for (const sort of SUBMISSION_SORTS) {
        const { rows } = await submissions.list({ kind: "early-access" }, { sort, after, limit: 3 });
        expect(rows).toHaveLength(3);
      }
    },
  );
});

type Row = { name: string; email: string; email_key: string; role: string; id: string; created_at: number };

function mailStateOf(reason: string | null) {
  if (reason === null) return "open";
  return reason === "unsubscribed" ? "unsubscribed" : "suppressed";
}

function isMatch(row: Row & { reason: string | null }, filter: Omit<SubmissionFilter, "kind">): boolean {
  const { search, choice, mail, from, until } = filter;
  const words = [row.email, ...row.name.split(" ")].map((word) => word.toLowerCase());
  return (
    (!search || words.some((word) => word.startsWith(search))) &&
    (!choice || row.role === choice) &&
    (!mail || mailStateOf(row.reason) === mail) &&
    (from === undefined || row.created_at >= from) &&
    (until === undefined || row.created_at < until)
  );
}

/** Names are ordered as the database orders them, so that only what is equal apart from case is asked of it. */
function expectOrder(
  rows: readonly { id: string; name: string; email: string }[],
  sort: SubmissionSort,
): void {
  const ids = rows.map(({ id }) => id);
  if (sort === "newest") expect(ids).toEqual(ids.toSorted().reverse());
  if (sort === "oldest") expect(ids).toEqual(ids.toSorted());
  if (sort === "newest" || sort === "oldest") return;
  const keys = rows.map((row) => row[sort === "name" ? "name" : "email"].toLowerCase());
  // Equal keys stand together, and within them by time.
  const runs = new Map<string, string[]>();
  for (const [index, key] of keys.entries()) {
    const run = runs.get(key) ?? [];
    if (run.length > 0) expect(keys[index - 1]).toBe(key);
    runs.set(key, [...run, ids[index]!]);
  }
  for (const run of runs.values()) expect(run).toEqual(run.toSorted());
}
