import { beforeEach, describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { UNDO_MS } from "~/services/submissions/deletions.server";
import { dialects } from "../databases";
import { createMortalDatabase } from "../factories/mortal-database";
import { operator, createTestOutreach } from "../factories/outreach";
import { createTestQuarantine } from "../factories/quarantine";
import { expectCountsToAgree, storeSubmissions, createTestSubmissions } from "../factories/submissions";
import { useDatabase } from "./use-database";

const KIND = "early-access" as const;
const PAGE = { sort: "newest", limit: 50 } as const;

describe.each(dialects)("deleting submissions on %s", (dialect) => {
  let database: Database;
  let ids: string[];
  useDatabase(dialect, (opened) => (database = opened));
  beforeEach(async () => {
    ids = await storeSubmissions(
      database,
      [1, 2, 3, 4].map((number) => ({ name: `Person ${number}`, email: `person${number}@example.com` })),
    );
  });

  const whole = () => database.read.selectFrom("submissions").selectAll().orderBy("id").execute();
  const audited = () =>
    database.read.selectFrom("audit").select(["actor", "action", "subject"]).orderBy("id").execute();

  it("takes them out of tables, counts, search, recipient groups and copies at once", async () => {
    const { submissions, deletions, peopleSearch } = createTestSubmissions(database);
    await deletions.delete({ kind: KIND, ids: ids.slice(0, 3) }, operator);
    expect(await submissions.list({ kind: KIND }, PAGE)).toMatchObject({ rows: [{ id: ids[3] }], total: 1 });
    expect(await peopleSearch.ids({ typed: "person" }, { limit: 9 })).toEqual([ids[3]]);
    const { outreach } = createTestOutreach(database);
    expect(await outreach.previewAudience(KIND)).toMatchObject({
      total: 1,
      firstFive: ["person4@example.com"],
    });
    const copies = [];
    for await (const batch of submissions.batches({ kind: KIND }, "name")) copies.push(...batch);
    expect(copies.map(({ id }) => id)).toEqual([ids[3]]);
    await expectCountsToAgree(database);
    expect(await audited()).toEqual([
      { actor: operator.by, action: "delete-submissions", subject: "3 submissions of early-access" },
    ]);
  });

  it("brings them back whole, once, and says so", async () => {
    const { deletions, clock } = createTestSubmissions(database);
    const before = await whole();
    const id = (await deletions.delete({ kind: KIND, ids: ids.slice(1, 3) }, operator))!;
    expect(await deletions.recent(KIND)).toEqual([
      { id, kind: KIND, deleted_by: operator.by, deleted_at: clock(), count: 2 },
    ]);
    clock.forward(UNDO_MS - 1);
    expect(await deletions.undo(id, operator)).toBe(2);
    const anyPosition = expect.any(Number) as number;
    expect(await whole()).toEqual(before.map((row) => ({ ...row, audience_position: anyPosition })));
    await expectCountsToAgree(database);
    expect(await deletions.recent(KIND)).toEqual([]);
    expect(await deletions.undo(id, operator)).toBe(0);
    expect((await audited()).slice(1)).toEqual([
      { actor: operator.by, action: "restore-submissions", subject: "2 submissions of early-access" },
    ]);
  });

  it("is for good after ten minutes: nothing of them is left, and nothing else is touched", async () => {
    const { deletions, clock } = createTestSubmissions(database);
    const id = (await deletions.delete({ kind: KIND, ids: [ids[0]!] }, operator))!;
    clock.forward(minutes(5));
    const later = (await deletions.delete({ kind: KIND, ids: [ids[1]!] }, operator))!;
    clock.forward(minutes(5));
    expect(await deletions.undo(id, operator)).toBe(0);
    await deletions.sweep();
    expect((await whole()).map((row) => row.id)).toEqual(ids.slice(1));
    await expectCountsToAgree(database);
    expect((await deletions.recent(KIND)).map((row) => row.id)).toEqual([later]);
    expect(await deletions.undo(later, operator)).toBe(1);
    await expectCountsToAgree(database);
  });

  it("touches only what is accepted, of that form and there, and leaves nothing behind when that is nothing", async () => {
    const { deletions } = createTestSubmissions(database);
    const [waiting] = await storeSubmissions(database, [
      { state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    const before = await whole();
    for (const some of [[waiting!], ["\0", "x"], [], ["00000000-0000-7000-8000-000000000000"]]) {
      expect(await deletions.delete({ kind: KIND, ids: some }, operator)).toBeUndefined();
    }
    expect(await deletions.delete({ kind: "updates-signup", ids }, operator)).toBeUndefined();
    expect(await deletions.undo("\0", operator)).toBe(0);
    expect(await whole()).toEqual(before);
    expect(await audited()).toEqual([]);
  });

  it("of all that match takes more than one piece, and nothing that came after they were seen", async () => {
    const { deletions, submissions, clock } = createTestSubmissions(database);
    await storeSubmissions(
      database,
      Array.from({ length: 600 }, (_, index) => ({
        name: `Bulk ${index}`,
        email: `bulk${index}@example.com`,
      })),
    );
    const through = (await submissions.newest(KIND))!;
    const [late] = await storeSubmissions(database, [{ name: "Bulk late", email: "late@example.com" }]);
    const id = (await deletions.delete({ kind: KIND, search: "bulk", through }, operator))!;
    const { rows, total } = await submissions.list({ kind: KIND }, PAGE);
    expect(rows.map((row) => row.id)).toEqual([late, ...ids.toReversed()]);
    expect(total).toBe(5);
    await expectCountsToAgree(database);
    expect(await deletions.undo(id, operator)).toBe(600);
    await expectCountsToAgree(database);
    await deletions.delete({ kind: KIND, search: "bulk", through }, operator);
    clock.forward(UNDO_MS);
    await deletions.sweep();
    expect(await whole()).toHaveLength(5);
    await expectCountsToAgree(database);
  });

  it("stopped half way has told the truth so far, and can be undone", async () => {
    await storeSubmissions(
      database,
      Array.from({ length: 600 }, (_, index) => ({
        name: `Bulk ${index}`,
        email: `bulk${index}@example.com`,
      })),
    );
    const { victim } = createMortalDatabase(database, { atWrite: 1, moment: "after" });
    const { submissions, deletions, clock } = createTestSubmissions(victim);
    const through = (await submissions.newest(KIND))!;
    await expect(deletions.delete({ kind: KIND, through }, operator)).rejects.toThrow();
    const after = createTestSubmissions(database);
    const [deletion] = await after.deletions.recent(KIND);
    expect(deletion).toMatchObject({ count: 500, deleted_at: clock() });
    expect(await audited()).toMatchObject([{ subject: "500 submissions of early-access" }]);
    await expectCountsToAgree(database);
    expect(await after.deletions.undo(deletion!.id, operator)).toBe(500);
    await expectCountsToAgree(database);
  });

  it("is no hindrance to signing up again with the same words", async () => {
    const { signups, person, clock } = createTestQuarantine(database);
    const { deletions } = createTestSubmissions(database);
    const first = await person("again@example.com");
    await deletions.delete({ kind: KIND, ids: [first] }, operator);
    clock.forward(minutes(1));
    const second = await person("again@example.com");
    expect(second).not.toBe(first);
    expect((await signups.list(KIND, { limit: 1 }))[0]?.id).toBe(second);
  });
});

describe.each(dialects)("what is kept about submissions on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("agrees with what there is after signups, releases and purges", async () => {
    const { person, bot, quarantine } = createTestQuarantine(database);
    await person("ada@example.com");
    const ids = [await bot("one@example.com"), await bot("two@example.com", "updates-signup")];
    await bot("three@example.com");
    await expectCountsToAgree(database);
    await quarantine.release({ ids }, operator);
    await expectCountsToAgree(database);
    await quarantine.purge({ through: "ffffffff-ffff-7fff-bfff-ffffffffffff" }, operator);
    await expectCountsToAgree(database);
  });
});
