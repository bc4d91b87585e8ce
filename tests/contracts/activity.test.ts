import { v7 } from "uuid";
import { expect, it } from "vitest";
import type { AuditTable } from "~/db/tables/accounts";
import { days } from "~/lib/durations";
import { getLeastUuid } from "~/lib/uuid";
import { createActivity, type ActivityFilter } from "~/services/audit/activity.server";
import { newId } from "~/services/service-deps";
import { createTestOutreach, people, signUp } from "../factories/outreach";
import { expectQuick } from "../factories/quickest";
import { createTestClock } from "../factories/time";
import { chooseSize } from "../sizes";
import { describeOnDatabases } from "./use-database";

const ENTRIES = chooseSize({ daily: 20_000, full: 100_000 });
const START = Date.UTC(2026, 10, 1);

describeOnDatabases("the activity on %s", ({ database }) => {
  const activity = () => createActivity({ database, clock: createTestClock(), newId });

  async function record(
    ...entries: (Partial<Omit<AuditTable, "at" | "content_hash">> & { at: number })[]
  ): Promise<void> {
    const rows = entries.map((entry) => ({
      id: v7({ msecs: entry.at }),
      actor: "ada@example.com",
      action: "login",
      subject: "ada@example.com",
      outcome: "ok" as const,
      network: "203.0.113.0",
      request_id: "r1",
      ...entry,
    }));
    for (let at = 0; at < rows.length; at += 1000) {
      const batch = rows.slice(at, at + 1000);
      await database.write((trx) => trx.insertInto("audit").values(batch).execute());
    }
  }
  const subjects = async (filter: ActivityFilter) =>
    (await activity().list(filter, { limit: 10 })).map((action) => action.subject);

  it("lists entries with all their fields, newest first", async () => {
    await record({ at: START, subject: "older" }, { at: START + 1, subject: "newer", outcome: "refused" });
    expect(await subjects({})).toEqual(["newer", "older"]);
    expect((await activity().list({}, { limit: 1 }))[0]).toEqual({
      id: expect.any(String),
      at: START + 1,
      actor: "ada@example.com",
      action: "login",
      subject: "newer",
      outcome: "refused",
      network: "203.0.113.0",
      requestId: "r1",
      contentHash: "",
      subjectTitle: undefined,
      isBroadcast: false,
    });
  });

  it("pages without a gap or a repetition, also while entries are added", async () => {
    await record(...people(7).map((subject, index) => ({ at: START + index, subject })));
    const first = await activity().list({}, { limit: 3 });
    await record({ at: START + days(1), subject: "added meanwhile" });
    const second = await activity().list({}, { before: first.at(-1)?.id, limit: 3 });
    const third = await activity().list({}, { before: second.at(-1)?.id, limit: 3 });
    expect([first, second, third].flat().map((action) => action.subject)).toEqual(people(7).reverse());
    expect(await activity().list({}, { before: "no id\0", limit: 10 })).toHaveLength(8);
  });

  it("filters by actor, action, outcome and days, alone and together", async () => {
    await record(
      { at: START, subject: "first moment" },
      { at: START + days(1) - 1, subject: "last moment", actor: "grace@example.com", outcome: "refused" },
      { at: START + days(1), subject: "next day", actor: "grace@example.com", action: "logout" },
      { at: START + days(2), subject: "later", actor: "grace@example.com", outcome: "refused" },
    );
    expect(await subjects({ actor: "ada@example.com" })).toEqual(["first moment"]);
    expect(await subjects({ action: "logout" })).toEqual(["next day"]);
    expect(await subjects({ outcome: "refused" })).toEqual(["later", "last moment"]);
    expect(await subjects({ from: START, until: START + days(1) })).toEqual(["last moment", "first moment"]);
    expect(await subjects({ from: START + days(1) })).toEqual(["later", "next day"]);
    const all = { actor: "grace@example.com", action: "login", outcome: "refused" } as const;
    expect(await subjects({ ...all, from: START, until: START + days(2) })).toEqual(["last moment"]);
    expect(await subjects({ ...all, actor: "x' or '1'='1" })).toEqual([]);
  });

  it("lists every actor once", async () => {
    expect(await activity().actors()).toEqual([]);
    const actors = ["visitor", "ada@example.com", "visitor", "system", "ada@example.com"];
    await record(...actors.map((actor, index) => ({ at: START + index, actor })));
    expect(await activity().actors()).toEqual(["ada@example.com", "system", "visitor"]);
  });

  it("has the title of an existing campaign, and lists unknown actions", async () => {
    await signUp(database, people(1));
    const { confirmed } = createTestOutreach(database);
    const title = "=1+1 <b>News</b>";
    const campaign = await confirmed({ title });
    const newer = { action: "from-a-newer-version", subject: newId() };
    await record({ at: START, ...newer });
    const [unknown, sent] = (await activity().list({}, { limit: 10 })).reverse();
    expect(sent).toMatchObject({ action: "confirm-outreach", subject: campaign, subjectTitle: title });
    expect(unknown).toMatchObject({ ...newer, subjectTitle: undefined });
  });

  it("exports all matching entries in batches", async () => {
    await record(...Array.from({ length: 2500 }, (_, index) => ({ at: START + index, subject: `${index}` })));
    await record({ at: START + days(3), actor: "grace@example.com" });
    const sizes: number[] = [];
    const seen: string[] = [];
    for await (const batch of activity().batches({ actor: "ada@example.com" })) {
      sizes.push(batch.length);
      seen.push(...batch.map((action) => action.subject));
    }
    expect(sizes).toEqual([1000, 1000, 500]);
    expect(seen).toEqual(Array.from({ length: 2500 }, (_, index) => `${2499 - index}`));
  });

  // C36, R27
  it(`returns every page of ${ENTRIES} entries in under 50 ms, whatever the filter`, async () => {
    const actors = ["ada@example.com", "grace@example.com", "system", "visitor"];
    const actions = ["login", "logout", "confirm-outreach", "unsubscribe", "send-test-email"];
    await record(
      ...Array.from({ length: ENTRIES }, (_, index) => ({
        at: START + index * 1000,
        actor: actors[index % 4]!,
        action: actions[index % 5]!,
        outcome: index === 50 ? ("failed" as const) : ("ok" as const),
      })),
    );
    const rare = { action: "login", outcome: "failed" } as const;
    const middle = getLeastUuid(START + (ENTRIES / 2) * 1000);
    const filters: ActivityFilter[] = [
      {},
      { actor: "system" },
      { action: "logout" },
      { outcome: "failed" },
      // The worst case: two that are common each, and one row, the oldest, that is both.
      { ...rare, actor: "system" },
      { actor: "ada@example.com", outcome: "failed" },
      { actor: "nobody@example.com", outcome: "ok" },
      { from: START, until: START + days(0.5) },
      { actor: "visitor", action: "unsubscribe", outcome: "ok", from: START, until: START + days(0.1) },
    ];
    for (const filter of filters) {
      for (const before of [undefined, middle]) {
        const name = JSON.stringify({ ...filter, before });
        await expectQuick(50, { [name]: () => activity().list(filter, { before, limit: 51 }) });
      }
    }
    await expectQuick(50, { actors: () => activity().actors() });
  }, 60_000);
});
