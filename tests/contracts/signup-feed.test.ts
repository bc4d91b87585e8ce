import { sql } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { newId } from "~/services/service-deps";
import type { SignupCursor } from "~/services/signups/signup-cursor";
import { createSignupFeed } from "~/services/signups/signup-feed.server";
import { insertSubmissions } from "~/services/submissions/submission-states.server";
import { noMirror } from "~/services/mirrors/mirror-rows.server";
import { EMPTY_FIELDS } from "~/lib/typed-columns";
import { operator, suppress } from "../factories/outreach";
import { createTestPeople } from "../factories/people";
import { createTestQuarantine } from "../factories/quarantine";
import { storeSubmissions, createTestSubmissions } from "../factories/submissions";
import { createTestSuppressions } from "../factories/suppressions";
import { createRandom, SEED } from "../seeded-random";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";
import { inPieces } from "../factories/pieces";

const PEOPLE = 200;
const WRITERS = 8;

describeOnDatabases("the signups that a program reads on %s", ({ database, place, dialect }) => {
  /** Creates a program that reads on from where it stopped, all pages at a time. */
  function createReader(form?: "early-access" | "contact-form", limit = 2) {
    const feed = createSignupFeed({ database });
    let cursor: SignupCursor = {};
    return {
      feed,
      getCursor: () => cursor,
      /** Reads what is new; resolves with the addresses. */
      async read(): Promise<string[]> {
        const emails: string[] = [];
        for (;;) {
          const page = await feed.read({ form, cursor, limit });
          if (!page.ok) throw new Error(page.error);
          expect(page.signups.length).toBeLessThanOrEqual(limit);
          emails.push(...page.signups.map(({ email }) => email));
          cursor = page.next;
          if (!page.hasMore) return emails;
        }
      },
    };
  }
  const accept = (emails: readonly string[], kind: "early-access" | "contact-form" = "early-access") =>
    storeSubmissions(
      database,
      emails.map((email) => ({ email, kind })),
    );

  it("come page by page, one form after the other, and then only new ones", async () => {
    await accept(["1", "2", "3"]);
    await accept(["4", "5"], "contact-form");
    await storeSubmissions(database, [{ email: "bot", state: "quarantined", quarantine_reason: "honeypot" }]);
    const all = createReader();
    expect(await all.read()).toEqual(["1", "2", "3", "4", "5"]);
    expect(await all.read()).toEqual([]);
    await accept(["6"]);
    expect(await all.read()).toEqual(["6"]);
    expect(await createReader("contact-form").read()).toEqual(["4", "5"]);
  });

  it("have a cursor that also reads on with another form", async () => {
    await accept(["1", "2"]);
    await accept(["3"], "contact-form");
    const one = createReader("early-access");
    await one.read();
    const { feed, getCursor } = one;
    const rest = await feed.read({ form: undefined, cursor: getCursor(), limit: 9 });
    expect(rest).toMatchObject({ ok: true, signups: [{ email: "3" }], hasMore: false });
  });

  it("include who is released from quarantine after later ones were read", async () => {
    const { bot, person, quarantine } = createTestQuarantine(database);
    const held = await bot("late@example.com");
    await person("early@example.com");
    const reader = createReader();
    expect(await reader.read()).toEqual(["early@example.com"]);
    await quarantine.release({ ids: [held] }, operator);
    expect(await reader.read()).toEqual(["late@example.com"]);
  });

  it("come again when restored or taken off the suppression list, and not when deleted or erased", async () => {
    const [first = "", second = ""] = await accept(["1@example.com", "2@example.com", "3@example.com"]);
    const reader = createReader();
    await reader.read();
    const { deletions } = createTestSubmissions(database);
    const deletion = (await deletions.delete({ kind: "early-access", ids: [first] }, operator)) ?? "";
    expect(await reader.read()).toEqual([]);
    await deletions.undo(deletion, operator);
    const again = await reader.feed.read({ form: undefined, cursor: reader.getCursor(), limit: 9 });
    expect(again).toMatchObject({ ok: true, signups: [{ id: first, email: "1@example.com" }] });
    await reader.read();
    await suppress(database, "3@example.com", "refused");
    const { id } = await database.read.selectFrom("suppressions").select("id").executeTakeFirstOrThrow();
    await createTestSuppressions(database).list.release([id], "", operator);
    expect(await reader.read()).toEqual(["3@example.com"]);
    const people = createTestPeople(database, place.environment.DATA_DIR).peopleOn();
    expect(await people.erase(second, operator)).toMatchObject({ ok: true });
    expect(await reader.read()).toEqual([]);
    expect(await createReader().read()).toEqual(["1@example.com", "3@example.com"]);
  });

  it("are all read where several were accepted at once and share a position", async () => {
    const { bot, quarantine } = createTestQuarantine(database);
    const held: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) held.push(await bot(`${name}@example.com`));
    await quarantine.release({ ids: held }, operator);
    const emails = await createReader().read();
    expect(emails.toSorted()).toEqual(["a", "b", "c", "d", "e"].map((name) => `${name}@example.com`));
  });

  /** Stores a signup in a transaction that ends as late as `last` says. */
  const signUp = (email: string, last: () => Promise<unknown>) =>
    database.write(async (trx) => {
      const now = Date.now();
      const row = {
        ...EMPTY_FIELDS,
        email,
        email_key: email,
        created_at: now,
        source: "direct",
        quarantine_reason: "",
      } as const;
      await insertSubmissions(
        trx,
        [{ ...row, id: newId(), kind: "early-access", state: "accepted", admitted_at: null }],
        { wording: "", wording_version: "", network: "" },
        noMirror,
      );
      await last();
    });

  it("do not miss who took a position early and was committed late", async () => {
    const reader = createReader();
    const { promise: gate, resolve: open } = Promise.withResolvers<undefined>();
    const { promise: taken, resolve: take } = Promise.withResolvers<undefined>();
    const slow = signUp("slow", () => {
      take(undefined);
      return gate;
    });
    await taken;
    const quick = signUp("quick", () => Promise.resolve());
    // The later one may not become visible first.
    for (let times = 0; times < 5; times += 1) {
      expect(await reader.read()).toEqual([]);
      await pause(10);
    }
    open(undefined);
    await Promise.all([slow, quick]);
    expect(await reader.read()).toEqual(["slow", "quick"]);
  });

  it("are read once each while many are committed at the same time", async () => {
    const random = createRandom(SEED);
    const reader = createReader(undefined, 7);
    const names = Array.from({ length: PEOPLE }, (_, index) => `person-${index}`);
    const waiting = [...names];
    const isOver = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
          await signUp(name, () => pause(random() * 3));
        }
      }),
    );
    const read: string[] = [];
    let isDone = false;
    void isOver.finally(() => (isDone = true));
    while (!isDone) {
      read.push(...(await reader.read()));
      await pause(1);
    }
    await isOver;
    read.push(...(await reader.read()));
    expect(read.toSorted()).toEqual(names.toSorted());
  }, 60_000);

  it("are refused from a cursor of a database that was restored from a backup", async () => {
    await accept(["1"]);
    await accept(["2"]);
    const { feed } = createReader();
    const read = (position: number) =>
      feed.read({ form: undefined, cursor: { "early-access": { position, id: newId() } }, limit: 9 });
    expect(await read(2)).toMatchObject({ ok: true, signups: [] });
    expect(await read(3)).toEqual({ ok: false, error: "ahead" });
    const other = { "contact-form": { position: 1, id: newId() } };
    expect(await feed.read({ form: "early-access", cursor: other, limit: 9 })).toMatchObject({ ok: true });
  });

  // R27
  it("of many are read by an index, at the beginning, in the middle and at the end", async () => {
    await inPieces(
      database,
      [1, 30_000],
      (numbers) => sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at, audience_position)
        with recursive ${numbers}
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text), 'early-access', 'accepted', '', 'Ada',
          'ada' || n || '@example.com', 'ada' || n || '@example.com', '', '', '', '', n, 30001 - n
        from numbers`,
    );
    const counts = { kind: "early-access", state: "accepted", count: 3e4, audience_position: 3e4 } as const;
    await database.write((trx) => trx.insertInto("submission_counts").values(counts).execute());
    if (dialect === "postgres") await sql`vacuum analyze submissions`.execute(database.read);
    for (const position of [undefined, 1, 15_000, 29_990]) {
      const cursor = position === undefined ? {} : { "early-access": { position, id: newId() } };
      const plans = await getPlans(database, (watched) =>
        createSignupFeed({ database: watched }).read({ form: "early-access", cursor, limit: 100 }),
      );
      const plan = plans.join("\n");
      expect(plan).toContain("submissions_by_position");
      expect(plan).not.toMatch(
        /Seq Scan on submissions\b|SCAN submissions\b|\bSort\b|TEMP B-TREE FOR (?!LAST)/,
      );
    }
  }, 60_000);
});
