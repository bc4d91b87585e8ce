import { beforeEach, expect, it } from "vitest";
import { days, hours, minutes } from "~/lib/durations";
import { isUuid } from "~/lib/uuid";
import { endOfZonedDay, startOfZonedDay } from "~/lib/zoned-day";
import {
  ADDRESS_STATES,
  NEWEST_FIRST,
  type SubmissionFilter,
  type SubmissionOrder,
} from "~/services/submissions/submission-filter";
import { suppress } from "../factories/outreach";
import { ORDERS, storeSubmissions, createTestSubmissions } from "../factories/submissions";
import { readPage, type Place } from "~/http/list-state";
import { describeOnDatabases } from "./use-database";
import { CHOICES } from "~/lib/form-fields";

const START = Date.UTC(2026, 9, 1);
const BY_NAME: SubmissionOrder = { sort: "name", direction: "asc" };
const day = (number: number) => START + days(number);

/** Creates 240 early access signups on ten days, with equal names and addresses, and 60 inquiries. */
function createSubmissions() {
  const early = Array.from({ length: 240 }, (_, index) => ({
    name: ["ada Byron", "Ada byron", "Grace Hopper", "Žižek", "Zoë 👩‍👩‍👧‍👦", ""][index % 6]!,
    email: `Person${index % 80}@Example.com`,
    company: ["Acme", "acme", "Bolt", ""][index % 4]!,
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
  ...ADDRESS_STATES.map((emailState) => ({ emailState })),
  { from: day(2), until: day(5) },
  { since: day(7) + minutes(3) },
  { since: day(7) + minutes(3), choice: "developer" },
  { search: "ada" },
  { search: "person1@" },
  { search: "nobody" },
  { choice: "manager", emailState: "open", from: day(1), until: day(9) },
  { search: "byr", choice: "other", emailState: "unsubscribed" },
];
const CASES = FILTERS.flatMap((filter) => ORDERS.map((order) => ({ filter, order })));

describeOnDatabases("the tables of submissions on %s", ({ database }) => {
  beforeEach(async () => {
    await storeSubmissions(database, createSubmissions());
    for (let person = 0; person < 12; person += 1) await suppress(database, `person${person}@example.com`);
    for (const person of [20, 21, 22, 23]) await suppress(database, `person${person}@example.com`, "refused");
  });

  // R27
  it.each([
    ["few matches, which are sorted", {}],
    ["many matches, which are found by a scan", { maxSorted: 5 }],
    ["many matches, some pages of which the search finds", { maxSorted: 20 }],
  ])("list each match once, in order, under every filter and order, with %s", async (_, size) => {
    const { submissions } = createTestSubmissions(database, size);
    const all = await database.read
      .selectFrom("submissions")
      .leftJoin("suppressions", "suppressions.email_key", "submissions.email_key")
      .selectAll("submissions")
      .select("suppressions.reason")
      .where("kind", "=", "early-access")
      .execute();
    for (const { filter, order } of CASES) {
      const expected = all.filter((row) => isMatch(row, filter)).map(({ id }) => id);
      const message = JSON.stringify({ filter, order });
      let listedBy = order;
      const read = (place: Place) =>
        readPage(
          place,
          7,
          async (page) => {
            const list = { kind: "early-access", ...filter } as const;
            const { rows, total, isTooCommon } = await submissions.list(list, { order, ...page });
            if (total !== undefined) expect(total, message).toBe(expected.length);
            if (isTooCommon) listedBy = NEWEST_FIRST;
            return rows;
          },
          order.direction,
        );
      const pages = [await read({})];
      for (let { next } = pages[0]!; next; { next } = pages.at(-1)!) pages.push(await read(next));
      const found = pages.flatMap(({ rows }) => rows);
      expect(found.map(({ id }) => id).toSorted(), message).toEqual(expected.toSorted());
      expectOrder(found, listedBy);
      // The same pages on the way back.
      for (let at = pages.length - 1; at > 0; at -= 1) {
        const { rows } = await read(pages[at]!.previous!);
        expect(rows, message).toEqual(pages[at - 1]!.rows);
      }
    }
  });

  it("exclude submissions that were accepted after `through`, or are not accepted", async () => {
    const { submissions } = createTestSubmissions(database);
    const filter = { kind: "updates-signup" } as const;
    const [first, third] = await storeSubmissions(
      database,
      [1, 3].map((number) => ({ ...filter, created_at: day(number) })),
    );
    const through = await submissions.end("updates-signup");
    const [second] = await storeSubmissions(database, [{ ...filter, created_at: day(2) }]);
    await storeSubmissions(database, [
      { ...filter, state: "unconfirmed" },
      { ...filter, state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    const page = { order: NEWEST_FIRST, limit: 9 };
    const { rows, ...matches } = await submissions.list(filter, page);
    expect(rows.map(({ id }) => id)).toEqual([third, second, first]);
    expect(matches).toEqual({ total: 3, isTooCommon: false });
    const before = { ...filter, through };
    expect((await submissions.ids(before, page)).ids).toEqual([third, first]);
    expect(await submissions.count(before)).toEqual({ count: 2, isMore: false });
  });

  it("list a search that finds too much newest first, and say so", async () => {
    const { submissions } = createTestSubmissions(database, { maxSorted: 20 });
    const find = (search: string, order: SubmissionOrder) =>
      submissions.ids({ kind: "early-access", search }, { order, limit: 7 });
    const newest = await find("ada", NEWEST_FIRST);
    expect(newest.ids).toHaveLength(7);
    expect(newest).toMatchObject({ isTooCommon: false });
    expect(await find("ada", BY_NAME)).toMatchObject({ ids: newest.ids, isTooCommon: true });
    expect(await find("person1@", BY_NAME)).toMatchObject({ total: 3, isTooCommon: false });
    expect(await find("nobody", BY_NAME)).toEqual({ ids: [], total: 0, isTooCommon: false });
  });

  it("list inquiries of one type", async () => {
    const { submissions } = createTestSubmissions(database);
    for (const choice of CHOICES["contact-form"]) {
      const filter = { kind: "contact-form", choice } as const;
      const { rows } = await submissions.list(filter, { order: NEWEST_FIRST, limit: 60 });
      expect(rows).toHaveLength(20);
      expect(new Set(rows.map((row) => row.inquiry_type))).toEqual(new Set([choice]));
    }
  });

  it("have a total where it is stored: for a form, and for days", async () => {
    const { submissions } = createTestSubmissions(database);
    const getTotal = async (filter: Partial<SubmissionFilter>) =>
      (await submissions.list({ kind: "early-access", ...filter }, { order: NEWEST_FIRST, limit: 1 })).total;
    expect(await getTotal({})).toBe(240);
    expect(await getTotal({ kind: "updates-signup" })).toBe(0);
    expect(await getTotal({ from: day(2), until: day(4) })).toBe(48);
    expect(await getTotal({ from: day(100) })).toBe(0);
    expect(await getTotal({ since: day(8) + minutes(3) })).toBe(39);
    expect(await getTotal({ since: day(100) })).toBe(0);
    expect(await getTotal({ choice: "developer" })).toBeUndefined();
  });

  // The days of a filter are the operator's, the stored counts are by days of UTC.
  it.each(["America/New_York", "Asia/Tokyo", "Asia/Kathmandu"])(
    "have the total of days in %s",
    async (timeZone) => {
      const { submissions } = createTestSubmissions(database);
      const kind = "updates-signup";
      const stored = Array.from({ length: 60 }, (_, number) => START + number * hours(2));
      await storeSubmissions(
        database,
        stored.map((created_at) => ({ kind, created_at })),
      );
      const through = await submissions.end(kind);
      const from = startOfZonedDay("2026-10-03", timeZone);
      const until = endOfZonedDay("2026-10-03", timeZone);
      for (const bounds of [{ from, until }, { from }, { until }]) {
        const filter = { kind, ...bounds } as const;
        const expected = stored.filter((at) => at >= (bounds.from ?? 0) && at < (bounds.until ?? Infinity));
        const { rows, total } = await submissions.list(filter, { order: NEWEST_FIRST, limit: 60 });
        expect(rows).toHaveLength(expected.length);
        expect(total).toBe(expected.length);
        const count = await submissions.count({ ...filter, through });
        expect(count).toEqual({ count: expected.length, isMore: false });
      }
    },
  );

  it("have no total of days where too many would be counted one by one", async () => {
    const { submissions } = createTestSubmissions(database);
    const day = Date.UTC(2026, 9, 1);
    await database.write((trx) =>
      trx.insertInto("submission_days").values({ kind: "updates-signup", day, count: 1_000_000 }).execute(),
    );
    const filter = { kind: "updates-signup", from: startOfZonedDay("2026-10-02", "Asia/Tokyo") } as const;
    const { total } = await submissions.list(filter, { order: NEWEST_FIRST, limit: 1 });
    expect(total).toBeUndefined();
  });

  it("are counted since a time, for each form", async () => {
    const { submissions } = createTestSubmissions(database);
    const since = day(8) + minutes(3);
    await storeSubmissions(database, [{ state: "unconfirmed", created_at: day(9) }]);
    expect(await submissions.countSince("early-access", since)).toEqual({ count: 39, isMore: false });
    expect(await submissions.countSince("contact-form", since)).toEqual({ count: 51, isMore: false });
    expect(await submissions.countSince("updates-signup", since)).toEqual({ count: 0, isMore: false });
  });

  it("are exported in batches with each match once, in the order of the page", async () => {
    const { submissions } = createTestSubmissions(database);
    await storeSubmissions(
      database,
      Array.from({ length: 450 }, (_, index) => ({
        name: `Bulk ${index % 3}`,
        email: `bulk${index}@example.com`,
      })),
    );
    const batches = [];
    for await (const batch of submissions.batches({ kind: "early-access", search: "bulk" }, BY_NAME)) {
      batches.push(batch);
      // Erased meanwhile, the last one still bounds the next batch.
      const id = batch.at(-1)?.id ?? "";
      await database.write((trx) => trx.deleteFrom("submissions").where("id", "=", id).execute());
    }
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 100, 100, 50]);
    expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(450);
    expectOrder(batches.flat(), BY_NAME);
  });

  it.each([500, 501])(
    "are exported in one order, when a search of %i results finds one more or less",
    async (count) => {
      const { submissions } = createTestSubmissions(database);
      const store = (from: number, length: number) =>
        storeSubmissions(
          database,
          Array.from({ length }, (_, at) => ({
            email: `bulk${from + at}@example.com`,
            name: `Bulk ${at % 7}`,
          })),
        );
      await store(0, count);
      const exported: string[] = [];
      for await (const batch of submissions.batches({ kind: "early-access", search: "bulk" }, BY_NAME)) {
        // What was read already: the border between few and many results is crossed, and nothing else changes.
        const id = batch[0]?.id ?? "";
        if (exported.length === 0 && count === 500) await store(count, 1);
        else if (exported.length === 0) {
          await database.write((trx) => trx.deleteFrom("submissions").where("id", "=", id).execute());
        }
        exported.push(...batch.map(({ email }) => email));
      }
      expect([exported.length, new Set(exported).size]).toEqual([count, count]);
    },
  );

  // R13
  it.each(["\0", "' or 1=1; --", "x".repeat(300), "00000000-0000-7000-8000-000000000000"])(
    "list the first page before and after the id %j",
    async (id) => {
      const { submissions } = createTestSubmissions(database);
      // By time, a valid id bounds a page even if no submission has it.
      for (const order of ORDERS.filter(({ sort }) => sort !== "received" || !isUuid(id))) {
        for (const bound of ["before", "after"]) {
          const page = { order, [bound]: id, limit: 3 };
          expect((await submissions.list({ kind: "early-access" }, page)).rows).toHaveLength(3);
        }
      }
    },
  );
});

type Row = { name: string; email: string; email_key: string; role: string; id: string; created_at: number };

function getEmailState(reason: string | null) {
  if (reason === null) return "open";
  return reason === "unsubscribed" ? "unsubscribed" : "suppressed";
}

function isMatch(row: Row & { reason: string | null }, filter: Omit<SubmissionFilter, "kind">): boolean {
  const { search, choice, emailState, from, until, since } = filter;
  const words = [row.email, ...row.name.split(" ")].map((word) => word.toLowerCase());
  return (
    (!search || words.some((word) => word.startsWith(search))) &&
    (!choice || row.role === choice) &&
    (!emailState || getEmailState(row.reason) === emailState) &&
    (from === undefined || row.created_at >= from) &&
    (since === undefined || row.created_at >= since) &&
    (until === undefined || row.created_at < until)
  );
}

/** Checks the order by time and of equal keys only: databases order different names differently. */
function expectOrder(
  rows: readonly { id: string; name: string; email: string; company: string }[],
  { sort, direction }: SubmissionOrder,
) {
  const ids = rows.map(({ id }) => id);
  const inOrder = (some: readonly string[]) =>
    direction === "asc" ? some.toSorted() : some.toSorted().reverse();
  if (sort === "received") return expect(ids).toEqual(inOrder(ids));
  const keys = rows.map((row) => row[sort === "address" ? "email" : sort].toLowerCase());
  // Equal keys are adjacent, and ordered by time.
  const runs = new Map<string, string[]>();
  for (const [index, key] of keys.entries()) {
    const run = runs.get(key) ?? [];
    if (run.length > 0) expect(keys[index - 1]).toBe(key);
    runs.set(key, [...run, ids[index]!]);
  }
  for (const run of runs.values()) expect(run).toEqual(inOrder(run));
}
