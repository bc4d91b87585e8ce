import { sql } from "kysely";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { isFoundBy, searchDocument, searchTerms } from "~/lib/search-words";
import { between, pickOne } from "~/lib/random";
import { NEWEST_PEOPLE } from "~/services/people/people-filter";
import { createPeopleList } from "~/services/people/people-list.server";
import { indexSubmissions, sweepDocuments } from "~/services/search/search-index.server";
import { createSubmissionSearch } from "~/services/search/submission-search.server";
import { eraseSubmissions } from "~/services/submissions/submission-states.server";
import { signUp } from "../factories/outreach";
import { SEED, createRandom } from "../seeded-random";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import type { ListPage } from "~/lib/list-page";
import { inPieces } from "../factories/pieces";

describeOnDatabases("the search for people on %s", ({ database, dialect }) => {
  /** Lists the addresses of the people that the search finds, newest first. */
  async function search(typed: string): Promise<string[]> {
    const page = { order: NEWEST_PEOPLE, limit: 100 };
    const { rows } = await createPeopleList({ database }).list({ search: typed }, page);
    return rows.map((person) => person.email);
  }
  const submissionSearch = () => createSubmissionSearch({ database });
  const words = () => database.read.selectFrom("submission_documents").select(["id", "words"]);

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

  it("finds by a company's words and by any part of an address or a company", async () => {
    await signUp(database, ["ada@mail.acme-tools.com"], { name: "Ada", company: "ACME Tools & Söhne" });
    await signUp(database, ["grace@navy.example"], { name: "Acmeline Hopper", company: "" });
    for (const typed of [
      "tools",
      "soh",
      "acme-t",
      "cme",
      "ada@mail.acme-tools.com",
      "l.acm",
      "ools ada",
      "ÖHN",
    ]) {
      expect([typed, await search(typed)]).toEqual([typed, ["ada@mail.acme-tools.com"]]);
      const ids = await submissionSearch().ids({ typed, kind: "early-access" }, { limit: 9 });
      expect([typed, ids.length]).toEqual([typed, 1]);
    }
    expect(await search("acme")).toEqual(["grace@navy.example", "ada@mail.acme-tools.com"]);
    // Two letters are the start of a word.
    expect(await search("ol")).toEqual([]);
    expect(await search("to")).toEqual(["ada@mail.acme-tools.com"]);
  });

  it("finds by the last word of a long company", async () => {
    const company =
      "Institut für Arbeitsschutz der Deutschen Gesetzlichen Unfallversicherung in Sankt Augustin";
    await signUp(database, ["ada@example.com"], { company });
    for (const typed of ["augustin", "gustin"]) {
      expect(await search(typed)).toEqual(["ada@example.com"]);
      expect(await submissionSearch().ids({ typed, kind: "early-access" }, { limit: 9 })).toHaveLength(1);
    }
  });

  it("finds by exactly what the list shows, with its signs", async () => {
    await signUp(database, ["ada@example.com"], { name: "Dr. Ada King Jr.", company: "Smith & Co" });
    await signUp(database, ["grace@example.com"], { name: "Grace Hopper", company: "Acme Inc." });
    await signUp(database, ["maria@example.com"], { name: "Maria Lopez", company: "Yahoo!" });
    for (const [typed, email] of [
      ["Dr. Ada King Jr.", "ada@example.com"],
      ["Smith & Co", "ada@example.com"],
      ["Acme Inc.", "grace@example.com"],
      ["Yahoo!", "maria@example.com"],
      ["maria l!", "maria@example.com"],
      ["maria %", "maria@example.com"],
      ["maria@example.", "maria@example.com"],
      ["maria@example.com.", "maria@example.com"],
    ] as const) {
      expect([typed, await search(typed)]).toEqual([typed, [email]]);
      const ids = await submissionSearch().ids({ typed, kind: "early-access" }, { limit: 9 });
      expect([typed, ids.length]).toEqual([typed, 1]);
    }
    expect(await search("@exam")).toHaveLength(3);
  });

  it("finds nobody by the middle of a name, by wildcards or by an empty text", async () => {
    await signUp(database, ["maria@example.com"], { name: "Maria Lopez" });
    const wildcards = ["%", "_aria", "*", "% *", "maria _opez", "m%a", "lop_z"];
    const others = ["opez", "mple.org", "maria mary", "maria opez", "", "  ", "\0", "x".repeat(3000)];
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
      const expected = people.filter((person) =>
        isFoundBy(searchDocument({ ...person, company: "" }), terms),
      );
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
    const list = createPeopleList({ database });
    const pages: string[][] = [];
    for (let before: string | undefined; pages.flat().length < 6;) {
      const { rows } = await list.list({ search: "a ada" }, { order: NEWEST_PEOPLE, before, limit: 4 });
      pages.push(rows.map((person) => person.email));
      before = rows.at(-1)?.id;
    }
    expect(pages).toEqual([all.slice(0, 4), all.slice(4)]);
    for (const kind of SUBMISSION_KINDS) {
      const ids = await submissionSearch().ids(
        { typed: "ada", kind },
        { before: "no id of ours\0", limit: 9 },
      );
      expect(new Set(ids).size).toBe(2);
      const rest = await submissionSearch().ids({ typed: "ada", kind }, { before: ids[0], limit: 9 });
      expect(rest).toEqual([ids[1]]);
    }
  });

  it("finds a person once, by what they typed last, and their submissions by what each says", async () => {
    for (const kind of ["early-access", "updates-signup"] as const) {
      await signUp(database, ["ada@example.com"], { name: `Ada of ${kind}`, kind });
      await signUp(database, ["Ada@Example.com", `other@${kind}.com`], { name: "Ada", kind });
    }
    expect(await search("ada")).toEqual([
      "other@updates-signup.com",
      "other@early-access.com",
      "Ada@Example.com",
    ]);
    expect(await search("ada early")).toEqual(["other@early-access.com"]);
    const found = await submissionSearch().ids({ typed: "ada early", kind: "early-access" }, { limit: 9 });
    expect(found).toHaveLength(2);
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

  it("removes the words of erased submissions and people: of few at once, of many soon", async () => {
    const people = database.read.selectFrom("people_documents").select(["id", "words"]);
    const eraseAll = () =>
      database.write(async (trx) => {
        const rows = await trx.selectFrom("submissions").select("id").execute();
        await eraseSubmissions(
          trx,
          rows.map(({ id }) => id),
        );
      });
    await signUp(database, ["ada@example.com"], { name: "Ada" });
    expect(await words().execute()).toMatchObject([{ words: expect.stringContaining("ada@example.com") }]);
    await eraseAll();
    expect([...(await words().execute()), ...(await people.execute())]).toEqual([]);

    await signUp(
      database,
      Array.from({ length: 30 }, (_, at) => `ada-${at}@example.com`),
      { name: "Ada" },
    );
    await eraseAll();
    expect(await search("ada")).toEqual([]);
    expect(await submissionSearch().ids({ typed: "ada", kind: "early-access" }, { limit: 9 })).toEqual([]);
    await sweepDocuments(database);
    expect([...(await words().execute()), ...(await people.execute())]).toEqual([]);
    for (const index of dialect === "sqlite" ? ["submission_index", "people_index"] : []) {
      const check = sql`insert into ${sql.table(index)} (${sql.ref(index)}, rank) values ('integrity-check', 1)`;
      await expect(database.write((trx) => check.execute(trx))).resolves.toBeDefined();
    }
  });

  it.runIf(dialect === "postgres")(
    "finds the start of words where pg_trgm could not be created",
    async () => {
      await database.write(async (trx) => {
        for (const table of ["submission_documents", "people_documents"]) {
          await sql`drop index ${sql.table(`${table}_parts`)}`.execute(trx);
          await sql`create index ${sql.table(`${table}_words`)} on ${sql.table(table)}
          using gin (array_to_tsvector(string_to_array(replace(ltrim(words), '  ', ' '), ' ')))`.execute(trx);
        }
      });
      await storeMany(11_000);
      await signUp(database, ["ada@acme.com"], { name: "Ada O'Byron", company: "Acme Tools" });
      for (const typed of ["acme", "tool ada", "ada@ac", "o'by"]) {
        expect([typed, await search(typed)]).toEqual([typed, ["ada@acme.com"]]);
      }
      expect(await search("cme.co")).toEqual([]);
      const query = { typed: "rare12 number", kind: "early-access" } as const;
      expect(await submissionSearch().ids(query, { before: toId(2000), limit: 3 })).toEqual(
        [1299, 1298, 1297].map(toId),
      );
      await sql`vacuum analyze submission_documents`.execute(database.read);
      const plans = await getPlans(database, (watched) =>
        createSubmissionSearch({ database: watched }).ids({ ...query, typed: "person old" }, { limit: 5 }),
      );
      expect(plans.some((line) => line.includes("submission_documents_words"))).toBe(true);
    },
  );

  it("lists in the order of ids, also within a millisecond", async () => {
    const at = Date.UTC(2026, 10, 21);
    const ids = [at, at, at, at + 1, at + 1, at + 2].map((msecs, seq) => v7({ msecs, seq }));
    const inOrder = ids.toSorted().reverse();
    for (const index of [3, 1, 5, 0, 2, 4]) await signUp(database, ["ada@example.com"], { id: ids[index]! });
    const query = { typed: "ada", kind: "early-access" } as const;
    for (let limit = 1; limit <= ids.length; limit += 1) {
      expect(await submissionSearch().ids(query, { limit })).toEqual(inOrder.slice(0, limit));
      const deep = await submissionSearch().ids(query, { before: inOrder[limit - 1], limit: 2 });
      expect(deep).toEqual(inOrder.slice(limit, limit + 2));
    }
  });

  // R27
  it("finds rare and common words among 22,000 submissions without a table scan", async () => {
    await storeMany(22_000);
    const find = (typed: string, page: ListPage) =>
      submissionSearch().ids({ typed, kind: "early-access" }, page);
    expect(await find("rare4321", { limit: 9 })).toEqual([toId(4321)]);
    expect(await find("person old", { limit: 9 })).toEqual([toId(7)]);
    expect(await find("person", { limit: 3 })).toEqual([22_000, 21_999, 21_998].map(toId));
    // More than are compared without the index.
    expect(await find("person", { limit: 21_000 })).toEqual(
      Array.from({ length: 21_000 }, (_, back) => toId(22_000 - back)),
    );
    expect(await find("person", { before: toId(5), limit: 10 })).toEqual([4, 3, 2, 1].map(toId));
    expect(await find("person", { after: toId(21_998), limit: 10 })).toEqual([22_000, 21_999].map(toId));
    for (const typed of ["number rare1", "rare1 number person"]) {
      const some = await find(typed, { before: toId(15_000), limit: 5500 });
      const begins = Array.from({ length: 14_999 }, (_, back) => 14_999 - back).filter((n) =>
        String(n).startsWith("1"),
      );
      expect(some).toEqual(begins.slice(0, 5500).map(toId));
    }
    expect(await find("rare1 rare2", { limit: 10 })).toEqual([]);
    const many = await find("person number", { before: toId(19_000), limit: 9000 });
    expect(many).toEqual(Array.from({ length: 9000 }, (_, back) => toId(18_999 - back)));

    if (dialect === "postgres") await sql`vacuum analyze submission_documents`.execute(database.read);
    for (const typed of ["p", "person", "nobody", "person rare4321", "are432", "person number"]) {
      const plans = await getPlans(database, (watched) =>
        createSubmissionSearch({ database: watched }).ids(
          { typed, kind: "early-access" },
          { before: toId(15_000), limit: 50 },
        ),
      );
      expect(plans.length).toBeGreaterThan(0);
      const slow = plans.filter((line) => /Seq Scan|SCAN submission_documents|TEMP B-TREE/.test(line));
      expect([typed, slow]).toEqual([typed, []]);
    }
  });

  /** Creates a word of 200 letters of a script, in an order that does not compress. */
  const createWord = (first: number, count: number) =>
    Array.from({ length: 200 }, (_, at) => String.fromCodePoint(first + ((at * 7919) % count))).join("");

  const toId = (number: number) => `01900000-0000-7000-8000-${100_000_000_000 + number}`;

  /** Stores submissions; the seventh is named Old. */
  async function storeMany(count: number): Promise<void> {
    await inPieces(
      database,
      [1, count],
      (numbers) => sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at)
        with recursive ${numbers}
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text),
          'early-access', 'accepted', '',
          case when n = 7 then 'Person Old' else 'Person Number' end,
          'rare' || cast(n as text) || '@example.com', 'rare' || cast(n as text) || '@example.com', '', '',
          '', '', n from numbers`,
    );
    await database.write(async (trx) => {
      const rows = await trx
        .selectFrom("submissions")
        .select(["id", "kind", "name", "email", "company", "message"])
        .execute();
      // A statement of all of them takes longer than a statement may, on a busy machine.
      for (let from = 0; from < rows.length; from += 1000) {
        await indexSubmissions(trx, rows.slice(from, from + 1000));
      }
    });
  }
});
