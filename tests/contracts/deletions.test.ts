import { beforeEach, expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { UNDO_MS } from "~/services/submissions/deletions.server";
import { readAudit } from "../factories/accounts";
import { createMortalDatabase } from "../factories/mortal-database";
import { operator, createTestOutreach } from "../factories/outreach";
import { createTestQuarantine } from "../factories/quarantine";
import { expectCountsToAgree, storeSubmissions, createTestSubmissions } from "../factories/submissions";
import { NEWEST_FIRST } from "~/services/submissions/submission-filter";
import { describeOnDatabases } from "./use-database";

const KIND = "early-access" as const;
const PAGE = { order: NEWEST_FIRST, limit: 50 };

describeOnDatabases("a deletion of submissions on %s", ({ database }) => {
  let ids: string[];
  beforeEach(async () => {
    ids = await storePeople("person", 4);
  });

  const listRows = () => database.read.selectFrom("submissions").selectAll().orderBy("id").execute();
  const storePeople = (name: string, count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const people = numbers.map((n) => ({ name: `${name} ${n}`, email: `${name}${n}@example.com` }));
    return storeSubmissions(database, people);
  };

  it("removes them from tables, counts, search, audiences and exports at once", async () => {
    const { submissions, deletions } = createTestSubmissions(database);
    await deletions.delete({ kind: KIND, ids: ids.slice(0, 3) }, operator);
    expect(await submissions.list({ kind: KIND }, PAGE)).toMatchObject({ rows: [{ id: ids[3] }], total: 1 });
    const found = await submissions.ids({ kind: KIND, search: "person" }, { order: NEWEST_FIRST, limit: 9 });
    expect(found.ids).toEqual([ids[3]]);
    const { outreach } = createTestOutreach(database);
    const left = { total: 1, firstFive: ["person4@example.com"] };
    expect(await outreach.previewAudience({ audience: KIND })).toMatchObject(left);
    const exported = [];
    for await (const batch of submissions.batches({ kind: KIND }, NEWEST_FIRST)) exported.push(...batch);
    expect(exported.map(({ id }) => id)).toEqual([ids[3]]);
    await expectCountsToAgree(database);
    expect(await readAudit(database)).toMatchObject([
      { actor: operator.by, action: "delete-submissions", subject: "3 submissions of early-access" },
    ]);
  });

  it("can be undone once, which restores every column", async () => {
    const { deletions, clock } = createTestSubmissions(database);
    const before = await listRows();
    const id = (await deletions.delete({ kind: KIND, ids: ids.slice(1, 3) }, operator))!;
    expect(await deletions.recent(KIND)).toEqual([
      { id, kind: KIND, deleted_by: operator.by, deleted_at: clock(), count: 2 },
    ]);
    clock.forward(UNDO_MS - 1);
    expect(await deletions.undo(id, operator)).toBe(2);
    const anyPosition = expect.any(Number) as number;
    expect(await listRows()).toEqual(before.map((row) => ({ ...row, audience_position: anyPosition })));
    await expectCountsToAgree(database);
    expect(await deletions.recent(KIND)).toEqual([]);
    expect(await deletions.undo(id, operator)).toBe(0);
    expect((await readAudit(database)).slice(1)).toMatchObject([
      { actor: operator.by, action: "restore-submissions", subject: "2 submissions of early-access" },
    ]);
  });

  it("is final after ten minutes, and erases nothing else", async () => {
    const { deletions, clock } = createTestSubmissions(database);
    const id = (await deletions.delete({ kind: KIND, ids: [ids[0]!] }, operator))!;
    clock.forward(minutes(5));
    const later = (await deletions.delete({ kind: KIND, ids: [ids[1]!] }, operator))!;
    clock.forward(minutes(5));
    expect(await deletions.undo(id, operator)).toBe(0);
    await deletions.sweep();
    expect((await listRows()).map((row) => row.id)).toEqual(ids.slice(1));
    await expectCountsToAgree(database);
    expect((await deletions.recent(KIND)).map((row) => row.id)).toEqual([later]);
    expect(await deletions.undo(later, operator)).toBe(1);
    await expectCountsToAgree(database);
  });

  it("ignores ids that are not accepted submissions of the form", async () => {
    const { deletions } = createTestSubmissions(database);
    const [quarantined] = await storeSubmissions(database, [
      { state: "quarantined", quarantine_reason: "honeypot" },
    ]);
    const before = await listRows();
    for (const others of [[quarantined!], ["\0", "x"], [], ["00000000-0000-7000-8000-000000000000"]]) {
      expect(await deletions.delete({ kind: KIND, ids: others }, operator)).toBeUndefined();
    }
    expect(await deletions.delete({ kind: "updates-signup", ids }, operator)).toBeUndefined();
    expect(await deletions.undo("\0", operator)).toBe(0);
    expect(await listRows()).toEqual(before);
    expect(await readAudit(database)).toEqual([]);
  });

  it("of all that match works in chunks and excludes what arrived later", async () => {
    const { deletions, submissions, clock } = createTestSubmissions(database);
    await storePeople("bulk", 600);
    const through = await submissions.end(KIND);
    // One has an earlier time, as of an import or a confirmation.
    const [late] = await storeSubmissions(database, [
      { name: "Bulk late", email: "late@example.com" },
      { name: "Bulk old", email: "old@example.com", created_at: 1_000 },
    ]);
    const id = (await deletions.delete({ kind: KIND, search: "bulk", through }, operator))!;
    const { rows, total } = await submissions.list({ kind: KIND }, PAGE);
    expect(rows.map((row) => row.id).slice(0, -1)).toEqual([late, ...ids.toReversed()]);
    expect(rows.at(-1)).toMatchObject({ name: "Bulk old" });
    expect(total).toBe(6);
    await expectCountsToAgree(database);
    expect(await deletions.undo(id, operator)).toBe(600);
    await expectCountsToAgree(database);
    // Restored, they were accepted later.
    expect(await deletions.delete({ kind: KIND, search: "bulk", through }, operator)).toBeUndefined();
    const all = { kind: KIND, search: "bulk", through: await submissions.end(KIND) };
    await deletions.delete(all, operator);
    clock.forward(UNDO_MS);
    await deletions.sweep();
    expect(await listRows()).toHaveLength(4);
    await expectCountsToAgree(database);
  });

  it("that was interrupted is recorded as far as it came, and can be undone", async () => {
    await storePeople("bulk", 600);
    const { victim } = createMortalDatabase(database, { atWrite: 1, moment: "after" });
    const { submissions, deletions, clock } = createTestSubmissions(victim);
    const through = await submissions.end(KIND);
    await expect(deletions.delete({ kind: KIND, through }, operator)).rejects.toThrow();
    const after = createTestSubmissions(database);
    const [deletion] = await after.deletions.recent(KIND);
    expect(deletion).toMatchObject({ count: 500, deleted_at: clock() });
    expect(await readAudit(database)).toMatchObject([{ subject: "500 submissions of early-access" }]);
    await expectCountsToAgree(database);
    expect(await after.deletions.undo(deletion!.id, operator)).toBe(500);
    await expectCountsToAgree(database);
  });

  it("allows the same signup again", async () => {
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
