import { expect, it } from "vitest";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { runOncePerInterval } from "~/services/composition/background-work.server";
import { sweepDrafts } from "~/services/drafts/abandoned-drafts.server";
import { sweepFingerprints } from "~/services/signups/signups.server";
import { createTestBroadcasts } from "../factories/broadcast";
import { createTestOutreach, people, signUp } from "../factories/outreach";
import { createTestQuarantine } from "../factories/quarantine";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

const EVERY_MINUTE = { name: "minute", everyMs: minutes(1) };

describeOnDatabases("sweeps on %s", ({ database }) => {
  it("delete a fingerprint when its content counts as new again", async () => {
    const { person, clock } = createTestQuarantine(database);
    const listKnown = async () => {
      const rows = await database.read.selectFrom("submission_fingerprints").selectAll().execute();
      return rows.map((row) => row.submission_id).sort();
    };
    const old = await person("old@example.com");
    clock.forward(hours(1));
    const younger = await person("younger@example.com");
    await sweepFingerprints(database, () => clock() + hours(23) - 1);
    expect(await listKnown()).toEqual([old, younger].sort());
    await sweepFingerprints(database, () => clock() + hours(23));
    expect(await listKnown()).toEqual([younger]);
    expect(await database.read.selectFrom("submissions").select("id").execute()).toHaveLength(2);
  });

  // R22
  it("run on one of three instances, and on another when it is gone", async () => {
    const clock = createTestClock();
    const swept: number[] = [];
    const sweepOn = (instance: number) =>
      runOncePerInterval({ database, clock }, EVERY_MINUTE, async () => void swept.push(instance));
    await Promise.all([sweepOn(1), sweepOn(2), sweepOn(3)]);
    expect(swept).toHaveLength(1);
    clock.forward(seconds(30));
    await sweepOn(2);
    expect(swept).toHaveLength(1);
    clock.forward(seconds(30));
    await sweepOn(3);
    expect(swept.slice(1)).toEqual([3]);
  });

  // R18
  it("continue when the clock was set back by a day", async () => {
    let swept = 0;
    for (const at of [days(3), days(2), days(2) + seconds(1), days(2) + minutes(1)]) {
      await runOncePerInterval({ database, clock: () => at }, EVERY_MINUTE, async () => (swept += 1));
    }
    // One at the first time, and one an interval after the clock was set back.
    expect(swept).toBe(2);
  });

  it("delete campaign drafts that nobody saved for thirty days, and nothing confirmed", async () => {
    await signUp(database, people(1));
    const { clock, draft, confirmed, outreach } = createTestOutreach(database);
    const abandoned = await draft({ title: "Abandoned" });
    const edited = await draft({ title: "Begun" });
    const discarded = await draft();
    await outreach.discardDraft(discarded);
    const sent = await confirmed({ title: "Sent" });
    clock.forward(days(1));
    await draft({ id: edited, title: "Edited" });
    clock.forward(days(29) - 1);
    await sweepDrafts(database, "campaigns", clock);
    expect(await outreach.findCampaign(abandoned)).toBeDefined();
    clock.forward(1);
    await sweepDrafts(database, "campaigns", clock);
    expect(await outreach.findCampaign(abandoned)).toBeUndefined();
    expect(await outreach.restoreDraft(discarded)).toBe(false);
    expect(await outreach.findCampaign(edited)).toMatchObject({ title: "Edited" });
    clock.forward(days(300));
    await sweepDrafts(database, "campaigns", clock);
    expect(await outreach.findCampaign(edited)).toBeUndefined();
    expect(await outreach.findCampaign(sent)).toMatchObject({ state: "preparing" });
  });

  it("delete abandoned notification drafts, and leave those of campaigns", async () => {
    const campaigns = createTestOutreach(database);
    const { clock, createDraft, broadcasts } = createTestBroadcasts(database);
    const [abandoned, campaign] = [await createDraft(), await campaigns.draft()];
    clock.forward(days(30));
    const fresh = await createDraft();
    await sweepDrafts(database, "broadcasts", clock);
    expect(await broadcasts.find(abandoned)).toBeUndefined();
    expect(await broadcasts.find(fresh)).toMatchObject({ state: "draft" });
    expect(await campaigns.outreach.findCampaign(campaign)).toBeDefined();
  });
});
