import { sql } from "kysely";
import { expect, it } from "vitest";
import { createInquiries } from "~/services/inquiries/inquiries.server";
import { newId } from "~/services/service-deps";
import {
  NEWEST_FIRST,
  type InquiryState,
  type SubmissionOrder,
} from "~/services/submissions/submission-filter";
import { readAudit } from "../factories/accounts";
import { operator } from "../factories/outreach";
import {
  createTestSubmissions,
  expectCountsToAgree,
  ORDERS,
  storeSubmissions,
} from "../factories/submissions";
import { getPlans } from "./query-plans";
import { describeOnDatabases } from "./use-database";
import { inPieces } from "../factories/pieces";

const KIND = "contact-form" as const;

describeOnDatabases("the inquiries on %s", ({ database }) => {
  /** Stores three inquiries, and a signup beside them. */
  async function setUp() {
    const services = createTestSubmissions(database);
    const { clock, submissions } = services;
    const inquiries = createInquiries({ database, clock, newId });
    const ids = (await storeSubmissions(
      database,
      ["a", "b", "c"].map((name) => ({ kind: KIND, name, email: `${name}@example.com`, message: "?" })),
    )) as [string, string, string];
    const [signup] = (await storeSubmissions(database, [{}])) as [string];
    const list = async (inquiryState?: InquiryState, order: SubmissionOrder = NEWEST_FIRST) => {
      const { rows } = await submissions.list({ kind: KIND, inquiryState }, { order, limit: 9 });
      return rows.map(({ name, answered_by, answered_at }) => [name, answered_by, answered_at]);
    };
    const listNames = async (state: InquiryState) => (await list(state)).map(([name]) => name);
    return { ...services, inquiries, ids, signup, list, listNames };
  }

  it("are open until somebody marks them as answered, and open again", async () => {
    const { inquiries, ids, list, listNames, clock } = await setUp();
    expect(await inquiries.countOpen()).toBe(3);
    expect(await inquiries.answer([ids[0], ids[1], ids[0]], operator)).toBe(2);
    expect(await inquiries.countOpen()).toBe(1);
    const at = clock();
    expect(await list("answered")).toEqual([
      ["b", operator.by, at],
      ["a", operator.by, at],
    ]);
    expect(await list("open")).toEqual([["c", null, null]]);
    expect(await inquiries.reopen([ids[0]], operator)).toBe(1);
    expect(await listNames("open")).toEqual(["c", "a"]);
    const entries = (await readAudit(database)).map(({ action, subject, actor }) => [action, subject, actor]);
    expect(entries).toEqual([
      ["answer-inquiries", "2 inquiries", operator.by],
      ["reopen-inquiries", "1 inquiry", operator.by],
    ]);
  });

  it("keep who answered first, and change nothing that is no open inquiry", async () => {
    const { inquiries, ids, signup, list, clock, deletions } = await setUp();
    const at = clock();
    await inquiries.answer([ids[0]], operator);
    clock.forward(1000);
    expect(await inquiries.answer([ids[0]], { ...operator, by: "late@example.com" })).toBe(0);
    expect(await list("answered")).toEqual([["a", operator.by, at]]);
    await deletions.delete({ kind: KIND, ids: [ids[1]] }, operator);
    expect(await inquiries.answer([signup, ids[1], newId(), "no id\0"], operator)).toBe(0);
    expect(await inquiries.reopen([ids[2], signup], operator)).toBe(0);
    const actions = (await readAudit(database)).map(({ action }) => action);
    expect(actions).toEqual(["answer-inquiries", "delete-submissions"]);
  });

  it("keep their state through a deletion that is undone, and count only while they exist", async () => {
    const { inquiries, ids, listNames, deletions } = await setUp();
    await inquiries.answer([ids[0]], operator);
    const deletion = await deletions.delete({ kind: KIND, ids: [ids[0], ids[1]] }, operator);
    expect(await inquiries.countOpen()).toBe(1);
    expect(await listNames("answered")).toEqual([]);
    await deletions.undo(deletion!, operator);
    expect(await inquiries.countOpen()).toBe(2);
    expect(await listNames("answered")).toEqual(["a"]);
    await expectCountsToAgree(database);
  });

  it("are filtered in every order, with a search and with many matches", async () => {
    const { inquiries, ids } = await setUp();
    await inquiries.answer([ids[0], ids[2]], operator);
    for (const maxSorted of [1, 100]) {
      const { submissions } = createTestSubmissions(database, { maxSorted });
      for (const order of ORDERS) {
        for (const search of [undefined, "a", "nobody"]) {
          const find = async (inquiryState: InquiryState) => {
            const filter = { kind: KIND, inquiryState, search } as const;
            const { rows } = await submissions.list(filter, { order, limit: 9 });
            return rows.map(({ name }) => name).toSorted();
          };
          const expected = { open: ["b"], answered: ["a", "c"] };
          const isFound = (name: string) => search === undefined || name.startsWith(search);
          expect(await find("open")).toEqual(expected.open.filter(isFound));
          expect(await find("answered")).toEqual(expected.answered.filter(isFound));
        }
      }
    }
  });

  // R27
  it("are counted and filtered by an index among 20,000", async () => {
    await storeMany(20_000);
    for (const inquiryState of ["open", "answered"] as const) {
      const plans = await getPlans(database, (watched) => {
        const { submissions } = createTestSubmissions(watched);
        return submissions.ids({ kind: KIND, inquiryState }, { order: NEWEST_FIRST, limit: 26 });
      });
      // PostgreSQL follows the ids where nearly all rows match.
      expect(plans.join("\n")).toMatch(new RegExp(`submissions_${inquiryState}_inquiries|submissions_pkey`));
      expect(plans.join("\n")).not.toMatch(/Seq Scan|Sort|TEMP B-TREE/);
    }
    const inquiries = (watched = database) => createInquiries({ database: watched, clock: Date.now, newId });
    const plans = await getPlans(database, (watched) => inquiries(watched).countOpen());
    expect(plans.join("\n")).toMatch(/Index Only Scan using submissions_open|submissions_open_inquiries/);
    expect(await inquiries().countOpen()).toBe(20);
  });

  /** Stores inquiries; one of a thousand is open. */
  async function storeMany(count: number): Promise<void> {
    await inPieces(
      database,
      [1, count],
      (numbers) => sql`
        insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role,
          inquiry_type, message, created_at, answered_at, answered_by)
        with recursive ${numbers}
        select '01900000-0000-7000-8000-' || cast(100000000000 + n as text), 'contact-form', 'accepted', '', 'Ada',
          'ada@example.com', 'ada@example.com', '', '', 'general', '?', n,
          case when n % 1000 > 0 then n end, case when n % 1000 > 0 then 'admin@example.com' end
        from numbers`,
    );
    if (database.dialect === "postgres") await sql`vacuum analyze submissions`.execute(database.read);
  }
});
