import { sql } from "kysely";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { matchesTerms, searchTerms, searchWords } from "~/lib/search-words";
import { between, pickOne } from "~/lib/random";
import { indexSubmissions } from "~/services/search/search-index.server";
import { createPeopleSearch } from "~/services/search/people-search.server";
import { signUp } from "../factories/outreach";
import { SEED, createRandom } from "../seeded-random";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";

describeOnDatabases("the search for people on %s", ({ database, dialect }) => {
  /** Lists the addresses that the search finds, newest first. */
  async function search(typed: string, kind?: SubmissionKind): Promise<string[]> {
    const people = await createPeopleSearch({ database }).find({ typed, kind }, { limit: 100 });
    return people.map((person) => person.email);
  }
  const words = () => database.read.selectFrom("search_documents").select("words");

  it("finds by the beginning of an address or of a name's word", async () => {
    await signUp(database, ["Maria.Lopez@Example.com"], { name: "María-José LÓPEZ" });
    await signUp(database, ["mary@example.com"], { name: "Mary Ångström", kind: "contact-form" });
    for (const typed of ["mar", "MAR", "már", " mar "]) {
      expect(await search(typed)).toEqual(["mary@example.com", "Maria.Lopez@Example.com"]);
    }
    for (const typed of ["maria.", "MARIA.LOPEZ@EXAMPLE.COM", "jose", "maria-jose", "lópez", "lop mar jos"]) {
      expect([typed, await search(typed)]).toEqual([typed, ["Maria.Lopez@Example.com"]]);
    }
    expect(await search("angstrom mary@")).toEqual(["mary@example.com"]);
  });

  it("finds nobody by the middle of a word, by wildcards or by an empty text", async () => {
    await signUp(database, ["maria@example.com"], { name: "Maria Lopez" });
    const wildcards = ["%", "_aria", "*", "maria %", "maria _opez", "maria l!"];
    const others = ["aria", "example.com", "maria mary", "maria opez", "", "  ", "\0", "x".repeat(3000)];
    for (const typed of [...wildcards, ...others]) {
      expect([typed, await search(typed)]).toEqual([typed, []]);
    }
  });

  it(`finds by several words exactly who has all (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    // UTF-16 orders the last two differently from code points.
    const letters = ["a", "b", "é", "\uFFFD", "\u{20000}"];
    const words = (count: number, longest: number) =>
      Array.from({ length: count }, () =>
        Array.from({ length: between(random, 1, longest) }, () => pickOne(random, letters)).join(""),
      ).join(" ");
    const people = Array.from({ length: 60 }, (_, at) => ({
      email: `${pickOne(random, ["a", "ab", "b"])}${at}@example.com`,
      name: words(3, 4),
    }));
    for (const { email, name } of people) await signUp(database, [email], { name });
    let several = 0;
    for (let round = 0; round < 60; round += 1) {
      const typed = words(between(random, 2, 3), 3);
      const terms = searchTerms(typed);
      const expected = people.filter((person) => matchesTerms(searchWords(person), terms));
      expect([typed, await search(typed)]).toEqual([typed, expected.map(({ email }) => email).reverse()]);
      if (terms.length > 1) several += expected.length;
    }
    expect(several).toBeGreaterThan(0);
  });

  it("finds each submission once, by form, and page by page from the newest on", async () => {
    for (const kind of SUBMISSION_KINDS) {
      await signUp(database, [`ada-1@${kind}.com`, `ada-2@${kind}.com`], { name: "Ada Ada-Lovelace", kind });
    }
    const all = SUBMISSION_KINDS.flatMap((kind) => [`ada-1@${kind}.com`, `ada-2@${kind}.com`]).reverse();
    expect(await search("ada")).toEqual(all);
    expect(await search("ada", "contact-form")).toEqual(all.slice(2, 4));
    const peopleSearch = createPeopleSearch({ database });
    const pages: string[][] = [];
    for (let before: string | undefined; pages.flat().length < 6;) {
      const page = await peopleSearch.find({ typed: "a ada" }, { before, limit: 4 });
      pages.push(page.map((person) => person.email));
      before = page.at(-1)?.id;
    }
    expect(pages).toEqual([all.slice(0, 4), all.slice(4)]);
    expect(await peopleSearch.ids({ typed: "ada" }, { before: "no id of ours\0", limit: 1 })).toHaveLength(1);
    const person = { kinds: ["early-access"], name: "Ada Ada-Lovelace", created_at: 1 };
    expect(await peopleSearch.find({ typed: "ada-1@early" }, { limit: 1 })).toMatchObject([person]);
  });

  it("finds a person once, by their newest submission, with all their forms", async () => {
    for (const kind of ["early-access", "updates-signup", "contact-form"] as const) {
      await signUp(database, ["ada@example.com"], { name: `Ada of ${kind}`, kind });
      await signUp(database, ["Ada@Example.com", `other@${kind}.com`], { name: "Ada", kind });
    }
    const peopleSearch = createPeopleSearch({ database });
    const people = await peopleSearch.find({ typed: "ada" }, { limit: 3 });
    expect(people.map(({ email }) => email)).toEqual([
      "other@contact-form.com",
      "Ada@Example.com",
      "other@updates-signup.com",
    ]);
    const all = await peopleSearch.find({ typed: "ada" }, { limit: 100 });
    expect(all).toHaveLength(4);
    expect(all[1]?.kinds).toEqual(["contact-form", "updates-signup", "early-access"]);
  });

  it("finds names in any script, up to the length that a form accepts", async () => {
    const names = [
      createWord(0xac00, 11_172),
      createWord(0x3300, 88),
      createWord(0x4e00, 20_000),
      createWord(0x20000, 40_000),
    ];
    for (const [at, name] of names.entries()) {
      await signUp(database, [`${at}@example.com`], { name: name.slice(0, 200) });
      expect(await search(`${at}@`)).toEqual([`${at}@example.com`]);
    }
    expect(await search(names[2]?.slice(0, 20) ?? "")).toEqual(["2@example.com"]);
  });

  it("removes the words of a deleted submission", async () => {
    await signUp(database, ["ada@example.com"], { name: "Ada" });
    expect(await words().execute()).toHaveLength(1);
    await database.write((trx) => trx.deleteFrom("submissions").execute());
    expect(await words().execute()).toEqual([]);
    expect(await search("ada")).toEqual([]);
    if (dialect === "sqlite") {
      const check = sql`insert into search_index (search_index, rank) values ('integrity-check', 1)`;
      await expect(database.write((trx) => check.execute(trx))).resolves.toBeDefined();
    }
  });

  it("lists in the order of ids, also within a millisecond", async () => {
    const at = Date.UTC(2026, 10, 21);
    const ids = [at, at, at, at + 1, at + 1, at + 2].map((msecs, seq) => v7({ msecs, seq }));
    const inOrder = ids.toSorted().reverse();
    for (const index of [3, 1, 5, 0, 2, 4]) await signUp(database, ["ada@example.com"], { id: ids[index]! });
    const peopleSearch = createPeopleSearch({ database });
    for (let limit = 1; limit <= ids.length; limit += 1) {
      expect(await peopleSearch.ids({ typed: "ada" }, { limit })).toEqual(inOrder.slice(0, limit));
      const deep = await peopleSearch.ids({ typed: "ada" }, { before: inOrder[limit - 1], limit: 2 });
      expect(deep).toEqual(inOrder.slice(limit, limit + 2));
    }
  });

  // R27
  it("finds rare and common words among 22,000 submissions without a table scan", async () => {
    await storeMany(22_000);
    expect(await search("rare4321")).toEqual(["rare4321@example.com"]);
    expect(await search("person old")).toEqual(["rare7@example.com"]);
    const peopleSearch = createPeopleSearch({ database });
    const newest = await peopleSearch.ids({ typed: "person" }, { limit: 3 });
    expect(newest).toEqual([22_000, 21_999, 21_998].map(toId));
    // More than are checked without the index.
    const most = await peopleSearch.ids({ typed: "person" }, { limit: 21_000 });
    expect(most).toEqual(Array.from({ length: 21_000 }, (_, back) => toId(22_000 - back)));
    const deep = await peopleSearch.ids({ typed: "person" }, { before: toId(5), limit: 10 });
    expect(deep).toEqual([4, 3, 2, 1].map(toId));
    for (const typed of ["number rare1", "rare1 number person"]) {
      const some = await peopleSearch.ids({ typed }, { before: toId(15_000), limit: 5500 });
      const begins = Array.from({ length: 14_999 }, (_, back) => 14_999 - back).filter((n) =>
        String(n).startsWith("1"),
      );
      expect(some).toEqual(begins.slice(0, 5500).map(toId));
    }
    expect(await peopleSearch.ids({ typed: "rare1 rare2" }, { limit: 10 })).toEqual([]);
    const many = await peopleSearch.ids({ typed: "person number" }, { before: toId(19_000), limit: 9000 });
    expect(many).toEqual(Array.from({ length: 9000 }, (_, back) => toId(18_999 - back)));

    if (dialect === "postgres") await sql`vacuum analyze search_documents`.execute(database.read);
    for (const typed of ["p", "person", "nobody", "person rare4321", "person number"]) {
      const plans = await getPlans(database, (watched) =>
        createPeopleSearch({ database: watched }).ids({ typed }, { before: toId(15_000), limit: 50 }),
      );
      expect(plans.length).toBeGreaterThan(0);
      expect(plans.filter((line) => /Seq Scan|SCAN search_documents|TEMP B-TREE/.test(line))).toEqual([]);
    }
  });

  /** Creates a word of 200 letters of a script, in an order that does not compress. */
  const createWord = (first: number, count: number) =>
    Array.from({ length: 200 }, (_, at) => String.fromCodePoint(first + ((at * 7919) % count))).join("");

  const toId = (number: number) => `01900000-0000-7000-8000-${100_000_000_000 + number}`;

  /** Stores submissions of two forms in turn; the seventh is named Old. */
  async function storeMany(count: number): Promise<void> {
    await database.write(async (trx) => {
      await sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text),
          case when n % 2 = 0 then 'contact-form' else 'early-access' end, 'accepted', '',
          case when n = 7 then 'Person Old' else 'Person Number' end,
          'rare' || cast(n as text) || '@example.com', 'rare' || cast(n as text) || '@example.com', '', '',
          '', '', n from numbers`.execute(trx);
      const rows = await trx
        .selectFrom("submissions")
        .select(["id", "kind", "name", "email", "message"])
        .execute();
      // A statement of all of them takes longer than a statement may, on a busy machine.
      for (let from = 0; from < rows.length; from += 1000) {
        await indexSubmissions(trx, rows.slice(from, from + 1000));
      }
    });
  }
});
