import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { sweepDrafts } from "~/services/sweep-drafts.server";
import { sweepOncePerInterval } from "~/services/sweep-once-per-interval.server";
import { sweepFingerprints } from "~/services/signups/signups.server";
import { dialects } from "../databases";
import { createTestBroadcasts } from "../factories/broadcast";
import { createTestOutreach, people, signUp } from "../factories/outreach";
import { createTestQuarantine } from "../factories/quarantine";
import { createTestClock } from "../factories/time";
import { useDatabase } from "./use-database";

describe.each(dialects)("the hourly sweeps on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("forget the content of a submission when it counts as new again, and not a moment before", async () => {
    const { person, clock } = createTestQuarantine(database);
    const known = async () =>
      (await database.read.selectFrom("submission_fingerprints").select("submission_id").execute()).map(
        (row) => row.submission_id,
      );
    const old = await person("old@example.com");
    clock.forward(hours(1));
    const younger = await person("younger@example.com");
    await sweepFingerprints(database, () => clock() + hours(23) - 1);
    expect((await known()).sort()).toEqual([old, younger].sort());
    await sweepFingerprints(database, () => clock() + hours(23));
    expect(await known()).toEqual([younger]);
    expect(await database.read.selectFrom("submissions").select("id").execute()).toHaveLength(2);
  });

  it("are done by one of three instances in each interval, and by another one when that is gone (R22)", async () => {
    const clock = createTestClock();
    const swept: number[] = [];
    const turn = { name: "minute", everyMs: minutes(1) };
    const ask = (instance: number) =>
      sweepOncePerInterval({ database, clock }, turn, async () => void swept.push(instance));
    await Promise.all([ask(1), ask(2), ask(3)]);
    expect(swept).toHaveLength(1);
    clock.forward(seconds(30));
    await ask(2);
    expect(swept).toHaveLength(1);
    clock.forward(seconds(30));
    await ask(3);
    expect(swept.slice(1)).toEqual([3]);
  });

  it("go on when the clock was set back by a day (R18)", async () => {
    const turn = { name: "minute", everyMs: minutes(1) };
    let swept = 0;
    for (const at of [days(3), days(2), days(2) + seconds(1), days(2) + minutes(1)]) {
      await sweepOncePerInterval({ database, clock: () => at }, turn, async () => (swept += 1));
    }
    // One at the first time, and one an interval after the clock was set back.
    expect(swept).toBe(2);
  });

  it("forget more than one piece of them", async () => {
    const seen = Array.from({ length: 2300 }, (_, index) => ({
      fingerprint: `f${index}`,
      submission_id: `s${index}`,
      seen_at: index < 2200 ? 1 : days(2),
    }));
    for (let at = 0; at < seen.length; at += 500) {
      const some = seen.slice(at, at + 500);
      await database.write((trx) => trx.insertInto("submission_fingerprints").values(some).execute());
    }
    await sweepFingerprints(database, () => days(2));
    expect(await database.read.selectFrom("submission_fingerprints").select("seen_at").execute()).toEqual(
      Array(100).fill({ seen_at: days(2) }),
    );
  });

  it("throw away a draft nobody saved for thirty days, and neither a fresher one nor anything confirmed", async () => {
    await signUp(database, people(1));
    const { clock, draft, confirmed, outreach } = createTestOutreach(database);
    const abandoned = await draft({ title: "Abandoned" });
    const goneOnWith = await draft({ title: "Begun" });
    const sent = await confirmed({ title: "Sent" });
    clock.forward(days(1));
    await draft({ id: goneOnWith, title: "Gone on with" });
    clock.forward(days(29) - 1);
    await sweepDrafts(database, "campaigns", clock);
    expect(await outreach.findCampaign(abandoned)).toBeDefined();
    clock.forward(1);
    await sweepDrafts(database, "campaigns", clock);
    expect(await outreach.findCampaign(abandoned)).toBeUndefined();
    expect(await outreach.findCampaign(goneOnWith)).toMatchObject({ title: "Gone on with" });
    clock.forward(days(300));
    await sweepDrafts(database, "campaigns", clock);
    expect(await outreach.findCampaign(goneOnWith)).toBeUndefined();
    expect(await outreach.findCampaign(sent)).toMatchObject({ state: "preparing" });
  });

  it("throw away a notification's draft by the same rule, and nothing of outreach's", async () => {
    const { draft: letter, outreach } = createTestOutreach(database);
    const { clock, createDraft, broadcasts } = createTestBroadcasts(database);
    const [abandoned, mail] = [await createDraft(), await letter()];
    clock.forward(days(30) - 1);
    await sweepDrafts(database, "broadcasts", clock);
    expect(await broadcasts.find(abandoned)).toBeDefined();
    clock.forward(1);
    const fresh = await createDraft();
    await sweepDrafts(database, "broadcasts", clock);
    expect(await broadcasts.find(abandoned)).toBeUndefined();
    expect(await broadcasts.find(fresh)).toMatchObject({ state: "draft" });
    expect(await outreach.findCampaign(mail)).toBeDefined();
  });

  it("throw away more than one piece of drafts", async () => {
    const { clock, draft, outreach } = createTestOutreach(database);
    await Promise.all(Array.from({ length: 1100 }, () => draft()));
    clock.forward(days(30));
    const kept = await draft();
    await sweepDrafts(database, "campaigns", clock);
    expect(await database.read.selectFrom("campaigns").select("id").execute()).toEqual([{ id: kept }]);
    expect(await outreach.findCampaign(kept)).toBeDefined();
  });
});
