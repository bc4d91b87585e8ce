import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { emailKey } from "~/lib/email-address";
import { PeopleFill } from "~/services/people/fill-people.server";
import { NEWEST_PEOPLE, type PeopleFilter } from "~/services/people/people-filter";
import { createPeopleList } from "~/services/people/people-list.server";
import { refreshPeople } from "~/services/people/people-rows.server";
import { createSubmissionSearch } from "~/services/search/submission-search.server";
import { newId } from "~/services/service-deps";
import { changeState, eraseSubmissions } from "~/services/submissions/submission-states.server";
import { dialects, testDatabase } from "../databases";
import { migrateThrough, withRawConnection } from "../factories/old-database";
import { expectPeopleToAgree, storeSubmissions } from "../factories/submissions";
import { createTestClock } from "../factories/time";
import { withDatabase } from "../faults/ledger";
import { removeAfterTest } from "../fixture";
import { describeOnDatabases } from "./use-database";

const AT = Date.UTC(2026, 10, 21, 8);
const ADA = "Ada@Example.com";

const listPeople = ({ read }: Database) => read.selectFrom("people").selectAll().orderBy("id").execute();

describeOnDatabases("the people behind submissions on %s", ({ database }) => {
  const store = async (...submissions: Parameters<typeof storeSubmissions>[1]) => {
    const ids = await storeSubmissions(database, submissions);
    await expectPeopleToAgree(database);
    return ids as [string, ...string[]];
  };
  const move = async (id: string, from: "accepted" | "deleted", to: "accepted" | "deleted") => {
    await database.write((trx) => changeState(trx, [id], { kind: "early-access", from, to }));
    await expectPeopleToAgree(database);
  };

  it("have a row for each address, with what its owner typed last", async () => {
    const [first] = await store(
      { email: ADA, name: "Ada", company: "Engines", role: "developer", created_at: AT },
      { email: "ada@example.com", name: "Ada Byron", kind: "updates-signup", created_at: AT + 1 },
      { email: "grace@navy.example", name: "Grace Hopper", company: "", created_at: AT + 2 },
    );
    expect(await listPeople(database)).toMatchObject([
      {
        id: first,
        email_key: "ada@example.com",
        email: "ada@example.com",
        email_domain: "example.com",
        name: "Ada Byron",
        company: "Engines",
        role: "developer",
        first_signup_at: AT,
      },
      { email_domain: "navy.example", name: "Grace Hopper", company: "", first_signup_at: AT + 2 },
    ]);
  });

  it("are not changed by what was not accepted", async () => {
    await store(
      { email: ADA, name: "Ada Byron", created_at: AT },
      { email: ADA, name: "Visit evil.example", state: "quarantined", quarantine_reason: "honeypot" },
    );
    await store({
      email: "new@example.com",
      name: "New",
      company: "Evil",
      state: "unconfirmed",
      created_at: AT + 9,
    });
    expect(await listPeople(database)).toMatchObject([
      { name: "Ada Byron", first_signup_at: AT },
      { name: "New", first_signup_at: null },
    ]);
    await store({ email: "new@example.com", name: "Newton", company: "", created_at: AT + 10 });
    expect((await listPeople(database))[1]).toMatchObject({
      name: "Newton",
      company: "",
      first_signup_at: AT + 10,
    });
  });

  it("keep what an accepted form says beside empty and suspicious ones", async () => {
    const [first] = await store(
      { email: ADA, company: "", created_at: AT },
      { email: ADA, company: "Engines", created_at: AT + 1 },
      { email: ADA, company: "", created_at: AT + 2 },
    );
    await store({
      email: ADA,
      name: "Visit evil.example",
      company: "Evil",
      state: "quarantined",
      quarantine_reason: "honeypot",
      created_at: AT + 3,
    });
    const known = { name: "Ada Byron", company: "Engines" };
    expect(await listPeople(database)).toMatchObject([{ ...known, first_signup_at: AT }]);
    await move(first, "accepted", "deleted");
    expect(await listPeople(database)).toMatchObject([{ ...known, first_signup_at: AT + 1 }]);
    await database.write((trx) =>
      trx.updateTable("submissions").set({ state: "deleted" }).where("state", "=", "accepted").execute(),
    );
    await database.write((trx) => refreshPeople(trx, [{ email_key: "ada@example.com" }]));
    expect(await listPeople(database)).toMatchObject([{ ...known, first_signup_at: null }]);
  });

  it("follow a deletion and its undoing, and go with their last submission", async () => {
    const [first, second = ""] = await store(
      { email: ADA, name: "Ada", created_at: AT },
      { email: ADA, name: "Ada Byron", created_at: AT + 1 },
    );
    await move(first, "accepted", "deleted");
    expect(await listPeople(database)).toMatchObject([{ id: first, first_signup_at: AT + 1 }]);
    await move(second, "accepted", "deleted");
    expect(await listPeople(database)).toMatchObject([{ id: first, first_signup_at: null }]);
    await move(first, "deleted", "accepted");
    expect(await listPeople(database)).toMatchObject([{ name: "Ada", first_signup_at: AT }]);
    await database.write((trx) => eraseSubmissions(trx, [second]));
    expect(await listPeople(database)).toHaveLength(1);
    await database.write((trx) => eraseSubmissions(trx, [first]));
    expect(await listPeople(database)).toEqual([]);
  });

  it("are confirmed from their next form on, after all earlier ones were erased", async () => {
    const [first] = await store({ email: ADA, kind: "updates-signup" });
    await database.write(async (trx) => {
      const confirmation = {
        id: newId(),
        address: ADA,
        email_key: emailKey(ADA),
        requested_at: 1,
        confirmed_at: 2,
      };
      await trx.insertInto("confirmations").values(confirmation).execute();
      await eraseSubmissions(trx, [first]);
    });
    await store({ email: ADA });
    expect(await listPeople(database)).toMatchObject([{ confirmed_at: 2 }]);
  });

  it("are one for two forms that are sent at the same moment", async () => {
    const kinds = ["early-access", "updates-signup", "contact-form"] as const;
    const each = kinds.map((kind, at) => ({ email: ADA, kind, company: at === 0 ? "Engines" : "" }));
    await Promise.all(each.map((one) => storeSubmissions(database, [one])));
    expect(await listPeople(database)).toMatchObject([{ company: "Engines", first_signup_at: AT }]);
    await expectPeopleToAgree(database);
  });
});

describe.each(dialects)("the people of an earlier version, on %s,", (dialect) => {
  const COUNT = 1000;

  async function createEarlier() {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0018-inquiry-search");
    await withRawConnection(place, async (db) => {
      for (let n = 0; n < COUNT; n += 1) {
        const email = `Person-${n % 700}@Example.com`;
        const state = n % 10 === 3 ? "quarantined" : "accepted";
        await sql`insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
            inquiry_type, message, created_at)
          values (${`01900000-0000-7000-8000-${String(n).padStart(12, "0")}`}, 'early-access', ${state}, '',
            ${`Person ${n}`}, ${email}, ${emailKey(email)}, '', '', '', '', ${AT + n})`.execute(db);
      }
    });
    return place;
  }

  it("are added in pieces, going on after each stop, while others sign up", async () => {
    await withDatabase(await createEarlier(), async (database) => {
      const options = { clock: createTestClock(), log: { warn: () => undefined } };
      let pieces = 0;
      for (let isOver = false; !isOver;) {
        const fill: PeopleFill = new PeopleFill({
          ...options,
          database: {
            ...database,
            write: async (work) => {
              const result = await database.write(work);
              pieces += 1;
              void fill.stop();
              return result;
            },
          },
        });
        await fill.run().catch(() => undefined);
        await storeSubmissions(database, [
          { email: `new-${pieces}@example.com` },
          { email: "person-1@example.com" },
        ]);
        const { finished_at } = await database.read
          .selectFrom("people_fill")
          .selectAll()
          .executeTakeFirstOrThrow();
        isOver = finished_at !== null;
      }
      expect(pieces).toBeGreaterThan(4);
      await expectPeopleToAgree(database);
    });
  });

  it("are found by each word of their company, while documents are rewritten and afterwards", async () => {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0035-broadcast-order");
    const id = "01900000-0000-7000-8000-000000000001";
    const company = "one two three four five six seven eight ninth";
    const words =
      "  ada  \u0001  ada@example.com  ada  example.com  one  two  three  four  five  six  seven  eight";
    await withRawConnection(place, async (db) => {
      await sql`insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at)
        values (${id}, 'early-access', 'accepted', '', 'Ada', ${ADA}, ${emailKey(ADA)}, ${company}, '', '', '', ${AT})`.execute(
        db,
      );
      await sql`insert into people (id, email_key, email, email_domain, name, company, role, forms, first_signup_at)
        values (${id}, ${emailKey(ADA)}, ${ADA}, 'example.com', 'Ada', ${company}, '', 1, ${AT})`.execute(db);
      for (const documents of ["people_documents", "submission_documents"] as const) {
        const marked = documents === "people_documents" ? words : `\u0002\u0002\u0002${words}`;
        await db.deleteFrom(documents).execute();
        await db.insertInto(documents).values({ id, words: marked }).execute();
      }
      await sql`update people_fill set finished_at = 1`.execute(db);
    });
    await withDatabase(place, async (database) => {
      const list = createPeopleList({ database });
      const find = async (filter: PeopleFilter) =>
        (await list.list(filter, { order: NEWEST_PEOPLE, limit: 9 })).rows.map((row) => row.id);
      expect(await list.isComplete()).toBe(false);
      expect(await find({ company: "ninth" })).toEqual([id]);
      await new PeopleFill({ database, clock: createTestClock(), log: { warn: () => undefined } }).run();
      expect(await find({ company: "ninth" })).toEqual([id]);
      expect(await find({ search: "ninth" })).toEqual([id]);
      const query = { typed: "ninth", kind: "early-access" } as const;
      expect(await createSubmissionSearch({ database }).ids(query, { limit: 9 })).toEqual([id]);
    });
  });

  it("are added by two instances together", async () => {
    await withDatabase(await createEarlier(), async (database) => {
      const options = { database, clock: createTestClock(), log: { warn: () => undefined } };
      await Promise.all([new PeopleFill(options).run(), new PeopleFill(options).run()]);
      expect(await listPeople(database)).toHaveLength(700);
      await expectPeopleToAgree(database);
    });
  });

  it("are added after a failure of the database, too", async () => {
    await withDatabase(await createEarlier(), async (database) => {
      const warnings: string[] = [];
      let failures = 0;
      const fill = new PeopleFill({
        clock: createTestClock(),
        log: { warn: (_, message) => void warnings.push(message) },
        retryMs: 1,
        database: {
          ...database,
          write: async (work) => {
            failures += 1;
            if (failures === 2) throw new Error("the database is away");
            return database.write(work);
          },
        },
      });
      await fill.run();
      expect(warnings).toEqual(["adding people failed, and is tried again"]);
      await expectPeopleToAgree(database);
    });
  });
});
