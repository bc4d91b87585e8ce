import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { days } from "~/lib/durations";
import type { VisitCount } from "~/lib/visit-counts";
import { addLandingVisits, LandingVisitsStore } from "~/services/sources/landing-visits.server";
import { createSources } from "~/services/sources/sources.server";
import { changeState, eraseSubmissions } from "~/services/submissions/submission-states.server";
import { NEWEST_FIRST } from "~/services/submissions/submission-filter";
import { dialects, testDatabase } from "../databases";
import { ada, createTestSignups } from "../factories/forms";
import { migrateThrough, withRawConnection } from "../factories/old-database";
import { createTestSubmissions, expectCountsToAgree, storeSubmissions } from "../factories/submissions";
import { withDatabase } from "../faults/ledger";
import { removeAfterTest } from "../fixture";
import { describeOnDatabases } from "./use-database";

const DAY = Date.UTC(2026, 10, 21);

describeOnDatabases("the source of a submission on %s", ({ database }) => {
  const listSources = async () => {
    const rows = await database.read.selectFrom("submissions").select("source").orderBy("id").execute();
    return rows.map(({ source }) => source);
  };
  const getPerson = () => database.read.selectFrom("people").select("source").executeTakeFirstOrThrow();

  it.each([
    ["nothing", {}, "unknown"],
    ["an empty text", { source: "" }, "unknown"],
    ["a NUL", { source: "a\0b" }, "unknown"],
    ["lines and capitals", { source: " Newsletter\r\n/ Spring " }, "newsletter / spring"],
    ["a long text", { source: "😀".repeat(5000) }, "😀".repeat(100)],
  ])("of %s is cleaned", async (_, differing, source) => {
    const { signups, createForm } = createTestSignups(database);
    await signups.record("early-access", ada, createForm(differing));
    expect(await listSources()).toEqual([source]);
    expect(await getPerson()).toEqual({ source });
    await expectCountsToAgree(database);
  });

  it("by the API is its own, or api", async () => {
    const { signups, createForm } = createTestSignups(database);
    const { consent, address } = createForm({});
    const program = { consent, address, isByProgram: true } as const;
    await signups.record("early-access", ada, program);
    await signups.record("updates-signup", ada, { ...program, source: "Fair" });
    expect(await listSources()).toEqual(["api", "fair"]);
  });

  // C26
  it("does not make another submission of the same form", async () => {
    const { signups, createForm } = createTestSignups(database);
    await signups.record("early-access", ada, createForm({ source: "newsletter" }));
    expect(await signups.record("early-access", ada, createForm({ source: "fair" }))).toEqual({
      ok: true,
      outcome: "repeated",
    });
    expect(await listSources()).toEqual(["newsletter"]);
  });

  it("is other for the 201st of a form and day", async () => {
    const { signups, clock, createForm } = createTestSignups(database);
    await storeSubmissions(
      database,
      Array.from({ length: 202 }, (_, n) => ({
        email: `p${n}@example.com`,
        // The fixed ones do not count.
        source: n < 199 ? `s${n}` : (["direct", "unknown", "api"][n - 199] ?? ""),
        created_at: clock(),
      })),
    );
    const signUp = (name: string, source: string) =>
      signups.record("early-access", { ...ada, name }, createForm({ source }));
    await signUp("One", "200th");
    await signUp("Two", "201st");
    await signUp("Three", "s7");
    await signUp("Four", "direct");
    await signups.record("updates-signup", ada, createForm({ source: "201st" }));
    expect((await listSources()).slice(202).sort()).toEqual(["200th", "201st", "direct", "other", "s7"]);
    clock.forward(days(1));
    await signUp("Five", "late");
    expect((await listSources()).at(-1)).toBe("late");
    await expectCountsToAgree(database);
  });

  it("is other for the 201st that is accepted", async () => {
    const ids = await storeSubmissions(
      database,
      Array.from({ length: 202 }, (_, n) => ({
        email: `p${n}@example.com`,
        source: `s${n}`,
        created_at: DAY,
        state: "unconfirmed" as const,
      })),
    );
    const accept = (some: readonly string[]) =>
      database.write((trx) =>
        changeState(trx, some, { kind: "early-access", from: "unconfirmed", to: "accepted" }),
      );
    await accept(ids.slice(0, 201));
    await accept(ids.slice(201));
    const sources = await listSources();
    expect([sources.filter((source) => source === "other").length, new Set(sources).size]).toEqual([2, 201]);
    await expectCountsToAgree(database);
  });

  it("is counted while the submission is accepted, and a person has that of their first", async () => {
    const kind = "early-access";
    const [first = ""] = await storeSubmissions(database, [
      { source: "newsletter", created_at: DAY },
      { source: "fair", created_at: DAY + 1 },
      { source: "spam", created_at: DAY - 1, state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    expect(await getPerson()).toEqual({ source: "newsletter" });
    await database.write((trx) => changeState(trx, [first], { kind, from: "accepted", to: "deleted" }));
    await expectCountsToAgree(database);
    expect(await getPerson()).toEqual({ source: "fair" });
    await database.write((trx) => changeState(trx, [first], { kind, from: "deleted", to: "accepted" }));
    await expectCountsToAgree(database);
    expect(await getPerson()).toEqual({ source: "newsletter" });
    await database.write((trx) => eraseSubmissions(trx, [first]));
    await expectCountsToAgree(database);
    expect(await getPerson()).toEqual({ source: "fair" });
  });

  it("filters a table in every order", async () => {
    const ids = await storeSubmissions(database, [
      { email: "a@example.com", name: "B", source: "fair" },
      { email: "b@example.com", name: "A", source: "fair" },
      { email: "c@example.com", name: "C", source: "direct" },
    ]);
    const { submissions } = createTestSubmissions(database);
    const filter = { kind: "early-access", source: "fair" } as const;
    const newest = await submissions.list(filter, { order: NEWEST_FIRST, limit: 9 });
    expect(newest.rows.map(({ id, source }) => [id, source])).toEqual([
      [ids[1], "fair"],
      [ids[0], "fair"],
    ]);
    const byName = await submissions.ids(filter, { order: { sort: "name", direction: "asc" }, limit: 9 });
    expect(byName.ids).toEqual([ids[1], ids[0]]);
    expect(await createSources({ database }).suggest("early-access", { from: 0 })).toEqual([
      "fair",
      "direct",
    ]);
    expect(await createSources({ database }).suggest("contact-form", { from: 0 })).toEqual([]);
  });
});

describeOnDatabases("visits on %s", ({ database }) => {
  const list = () => createSources({ database }).list({ from: DAY });
  const visits = (source: string, count: number, day = DAY): VisitCount => ({ day, source, count });

  it("are added up over instances and beside the signups of their source", async () => {
    await Promise.all([
      addLandingVisits(database, [visits("direct", 2), visits("fair", 5)]),
      addLandingVisits(database, [visits("fair", 1), visits("direct", 3), visits("old", 1, DAY - days(1))]),
    ]);
    await storeSubmissions(database, [
      { source: "fair", created_at: DAY },
      { email: "b@example.com", source: "api", created_at: DAY + days(1) },
      { email: "c@example.com", source: "old", created_at: DAY - 1 },
    ]);
    expect(await list()).toMatchObject([
      { source: "fair", visits: 6, signups: 1 },
      { source: "api", visits: 0, signups: 1 },
      { source: "direct", visits: 5, signups: 0 },
    ]);
  });

  it("have at most 200 sources a day, and the rest is other", async () => {
    const many = Array.from({ length: 150 }, (_, n) => visits(`a${n}`, 1));
    await addLandingVisits(database, [visits("direct", 1), visits("unknown", 1), ...many]);
    await addLandingVisits(
      database,
      many.map(({ source, ...visit }) => ({ ...visit, source: `b${source}` })),
    );
    await addLandingVisits(database, [visits("a7", 9), visits("direct", 4), visits("late", 2)]);
    const found = await list();
    expect(found).toHaveLength(203);
    expect(found.slice(0, 3)).toMatchObject([
      { source: "other", visits: 102, signups: 0 },
      { source: "a7", visits: 10, signups: 0 },
      { source: "direct", visits: 5, signups: 0 },
    ]);
  });

  it("that could not be stored are stored the next time", async () => {
    let waiting = [visits("direct", 2)];
    const counts = {
      take: () => waiting.splice(0),
      putBack: (taken: readonly VisitCount[]) => void (waiting = [...taken]),
    };
    const warnings: string[] = [];
    let isAway = true;
    const store = new LandingVisitsStore({
      counts,
      log: { warn: (_, message) => warnings.push(message) },
      database: {
        ...database,
        write: (work) => (isAway ? Promise.reject(new Error("away")) : database.write(work)),
      },
    });
    store.start();
    await store.store();
    expect(warnings).toHaveLength(1);
    isAway = false;
    await store.stop();
    expect(await list()).toMatchObject([{ source: "direct", visits: 2, signups: 0 }]);
    expect(waiting).toEqual([]);
  });
});

describe.each(dialects)("the signups of an earlier version, on %s,", (dialect) => {
  it("are counted as of an unknown source", async () => {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0019-people");
    await withRawConnection(place, async (db) => {
      await sql`insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at)
        values ('01900000-0000-7000-8000-000000000001', 'early-access', 'accepted', '', 'Ada', 'ada@example.com',
          'ada@example.com', '', '', '', '', ${DAY})`.execute(db);
      await sql`insert into submission_days (kind, day, count) values ('early-access', ${DAY}, 1)`.execute(
        db,
      );
    });
    await withDatabase(place, async (database) => {
      const { submissions } = createTestSubmissions(database);
      const found = await submissions.list(
        { kind: "early-access", source: "unknown" },
        { order: NEWEST_FIRST, limit: 9 },
      );
      expect(found.rows).toMatchObject([{ source: "unknown", heard_from: "" }]);
      expect(await createSources({ database }).list({ from: DAY })).toEqual([
        { source: "unknown", visits: 0, signups: 1, kind: "early-access" },
      ]);
    });
  });
});
