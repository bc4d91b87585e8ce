import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { days } from "~/lib/durations";
import { inquiryWords, matchesTerms, searchTerms } from "~/lib/search-words";
import { between, pickOne } from "~/lib/random";
import { NEWEST_PEOPLE } from "~/services/people/people-filter";
import { createPeopleList } from "~/services/people/people-list.server";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { NEWEST_FIRST, type SubmissionFilter } from "~/services/submissions/submission-filter";
import { dialects, testDatabase } from "../databases";
import { migrateThrough, withRawConnection } from "../factories/old-database";
import { suppress } from "../factories/outreach";
import { createTestSubmissions, storeSubmissions } from "../factories/submissions";
import { withDatabase } from "../faults/ledger";
import { removeAfterTest } from "../fixture";
import { createRandom, SEED } from "../seeded-random";
import { describeOnDatabases } from "./use-database";

const AT = Date.UTC(2026, 10, 21, 8);
/** The longest text that the form takes. */
const LONGEST = 5000;

describeOnDatabases("the search of inquiries on %s", ({ database, dialect }) => {
  const services = () => createTestSubmissions(database);
  let stored = 0;
  /** Stores an inquiry; resolves with its id. */
  async function ask(message: string, differing: Parameters<typeof storeSubmissions>[1][number] = {}) {
    stored += 1;
    const one = {
      kind: "contact-form",
      email: `person-${stored}@example.com`,
      message,
      ...differing,
    } as const;
    const [id = ""] = await storeSubmissions(database, [one]);
    return id;
  }
  const search = async (typed: string, filter: Partial<SubmissionFilter> = {}) => {
    const matching = { kind: "contact-form", search: typed, ...filter } as const;
    return (await services().submissions.list(matching, { order: NEWEST_FIRST, limit: 100 })).rows.map(
      ({ id }) => id,
    );
  };

  it("finds by the beginning of a word of the text, of the name or of the address", async () => {
    const id = await ask("Où sont les enregistrements?\nWhere are RECORDINGS kept, e.g. of co-workers?", {
      name: "Ada Byron",
      email: "ada@example.com",
    });
    const other = await ask("May we meet?", { name: "Grace Hopper" });
    for (const typed of [
      "record",
      "RECORDINGS",
      "ou",
      "enregistrements",
      "e.g",
      "co-w",
      "workers",
      "kept, e.g",
      "Where are RECORDINGS kept, e.g.",
      "enregistrements - of co-workers!",
    ]) {
      expect([typed, await search(typed)]).toEqual([typed, [id]]);
    }
    for (const typed of ["byron record", "record ada@exa", "kept ada"]) {
      expect([typed, await search(typed)]).toEqual([typed, [id]]);
    }
    expect(await search("we")).toEqual([other]);
    for (const typed of ["ecord", "orkers", "record grace", "%", "r%cord", "r_cord", "*"]) {
      expect([typed, await search(typed)]).toEqual([typed, []]);
    }
  });

  it("leaves the search for people to names and addresses", async () => {
    await ask("Where are recordings kept?", { name: "Ada Byron" });
    const list = createPeopleList({ database });
    const find = async (search: string) =>
      (await list.list({ search }, { order: NEWEST_PEOPLE, limit: 9 })).rows;
    expect(await find("recordings")).toEqual([]);
    expect(await find("byron")).toHaveLength(1);
  });

  it(`finds exactly those that have all words (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const words = (count: number) =>
      Array.from(
        { length: count },
        () => `${pickOne(random, ["a", "b", "é"])}${between(random, 1, 30)}`,
      ).join(" ");
    const all = [];
    for (let n = 0; n < 60; n += 1) {
      const message = words(12);
      all.unshift({
        id: await ask(message, { name: "Ada" }),
        words: inquiryWords({ name: "Ada", email: "", message }),
      });
    }
    for (let round = 0; round < 40; round += 1) {
      const typed = words(2);
      const expected = all.filter((one) => matchesTerms(one.words, searchTerms(typed))).map(({ id }) => id);
      expect([typed, await search(typed)]).toEqual([typed, expected]);
    }
  });

  it.each([
    ["few", 2000],
    ["too many to sort", 1],
  ])("goes with every filter, where it finds %s", async (_, maxSorted) => {
    const { submissions } = createTestSubmissions(database, { maxSorted });
    const text = "Where are recordings kept?";
    const ids = [
      await ask(text, { inquiry_type: "support", created_at: AT - days(9), email: "gone@example.com" }),
      await ask(text, { inquiry_type: "support", created_at: AT - days(1) }),
      await ask(text, { inquiry_type: "general", created_at: AT }),
      await ask("May we meet?", { inquiry_type: "support", created_at: AT }),
    ];
    await suppress(database, "gone@example.com");
    await database.write((trx) =>
      trx
        .updateTable("submissions")
        .set({ answered_at: AT, answered_by: "ada@example.com" })
        .where("id", "=", ids[1]!)
        .execute(),
    );
    const find = async (filter: Partial<SubmissionFilter>) => {
      const matching = { kind: "contact-form", search: "record", ...filter } as const;
      const { rows } = await submissions.list(matching, { order: NEWEST_FIRST, limit: 100 });
      return rows.map(({ id }) => ids.indexOf(id));
    };
    expect(await find({})).toEqual([2, 1, 0]);
    expect(await find({ choice: "support" })).toEqual([1, 0]);
    expect(await find({ inquiryState: "open" })).toEqual([2, 0]);
    expect(await find({ inquiryState: "answered" })).toEqual([1]);
    expect(await find({ emailState: "unsubscribed" })).toEqual([0]);
    expect(await find({ emailState: "open" })).toEqual([2, 1]);
    expect(await find({ from: AT - days(2), until: AT })).toEqual([1]);
    expect(await find({ since: AT })).toEqual([2]);
    expect(await find({ choice: "support", inquiryState: "open", from: AT - days(10) })).toEqual([0]);
  });

  it("lists the newest first, where more senders match than are listed", async () => {
    const { submissions } = createTestSubmissions(database, { maxSorted: 2 });
    const words = { name: "Info", message: "May we meet?" };
    for (let n = 1; n <= 4; n += 1) await ask(words.message, { name: words.name, created_at: AT - days(n) });
    const newest = await ask("Please send information", { created_at: AT });
    const { rows } = await submissions.list(
      { kind: "contact-form", search: "info" },
      { order: NEWEST_FIRST, limit: 2 },
    );
    expect(rows.map(({ id }) => id)).toEqual([newest, expect.any(String)]);
  });

  it("finds the first and the last word of the longest text, and what is around a word that is too long", async () => {
    const words = Array.from({ length: 700 }, (_, at) => `w${String(at).padStart(4, "0")}`);
    const text = `first ${words.join(" ")}`;
    const id = await ask(`${text.padEnd(LONGEST - 5)} last`);
    for (const typed of ["first", "last", "w0000", "w0699", "first w0350 last"]) {
      expect([typed, await search(typed)]).toEqual([typed, [id]]);
    }
    const long = await ask(`before ${"𠀀".repeat(LONGEST - 13)} after`);
    expect(await search("before after")).toEqual([long]);
    const tiny = await ask(
      Array.from({ length: LONGEST / 2 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(" "),
    );
    expect(await search("一 龥".replace("龥", String.fromCodePoint(0x4e00 + LONGEST / 2 - 1)))).toEqual([
      tiny,
    ]);
  });

  it("forgets the words of a deleted inquiry at once", async () => {
    await ask("Where are recordings kept?");
    await database.write((trx) => trx.deleteFrom("submissions").execute());
    expect(await database.read.selectFrom("inquiry_documents").select("words").execute()).toEqual([]);
    expect(await search("recordings")).toEqual([]);
    if (dialect === "sqlite") {
      const check = sql`insert into search_index_inquiries (search_index_inquiries, rank) values ('integrity-check', 1)`;
      await expect(database.write((trx) => check.execute(trx))).resolves.toBeDefined();
    }
  });
});

describe.each(dialects)("the inquiries of an earlier version, on %s,", (dialect) => {
  it("are found by their text after the update, and can be deleted", async () => {
    const place = removeAfterTest(await testDatabase(dialect));
    await migrateThrough(place, "0017-email-changes");
    const id = "01900000-0000-7000-8000-000000000001";
    await withRawConnection(place, async (db) => {
      await sql`insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at)
        values (${id}, 'contact-form', 'accepted', '', 'Ada Byron', 'ada@example.com', 'ada@example.com', '', '',
          'general', 'Where are recordings kept?', 1)`.execute(db);
      const n = dialect === "sqlite" ? sql`n,` : sql``;
      const one = dialect === "sqlite" ? sql`1,` : sql``;
      await sql`insert into search_documents (${n} submission_id, words)
        values (${one} ${id}, ${"\u0002 ada@example.com ada byron"})`.execute(db);
    });
    await withDatabase(place, async (database) => {
      const { submissions } = createTestSubmissions(database);
      const find = (typed: string) =>
        submissions.ids({ kind: "contact-form", search: typed }, { order: NEWEST_FIRST, limit: 9 });
      expect((await find("recordings")).ids).toEqual([id]);
      expect((await find("byron kept")).ids).toEqual([id]);
      await database.write((trx) => eraseSubmissions(trx, [id]));
      expect((await find("recordings")).ids).toEqual([]);
    });
  });
});
