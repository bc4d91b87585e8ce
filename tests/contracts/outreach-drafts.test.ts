import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import { sweepDrafts } from "~/services/sweep-drafts.server";
import { dialects } from "../databases";
import { operator, createTestOutreach, people, signUp } from "../factories/outreach";
import { useDatabase } from "./use-database";

describe.each(dialects)("drafts of campaigns on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  it("a discarded draft is listed nowhere and cannot be confirmed, until it is restored", async () => {
    await signUp(database, people(1));
    const { outreach, draft, asked } = createTestOutreach(database);
    const id = await draft();
    const question = await asked(id);
    expect(await outreach.discardDraft(id)).toBe(true);
    expect(await outreach.listLatestDrafts(10)).toEqual([]);
    expect(await outreach.listLatestCampaigns(10)).toEqual([]);
    expect(await outreach.confirm({ campaignId: id, reviewed: question }, operator)).toEqual({
      ok: false,
      error: "unknown-campaign",
    });
    expect(await outreach.restoreDraft(id)).toBe(true);
    expect(await outreach.listLatestDrafts(10)).toMatchObject([{ id }]);
    expect(await outreach.confirm({ campaignId: id, reviewed: question }, operator)).toEqual({
      ok: true,
      already: false,
    });
    expect(await outreach.discardDraft(id)).toBe(false);
    expect(await outreach.findCampaign(id)).toMatchObject({ finished_at: null });
  });

  it("a discarded draft that another operator saves is a draft again", async () => {
    const { outreach, draft } = createTestOutreach(database);
    const id = await draft();
    await outreach.discardDraft(id);
    expect(await draft({ id, title: "Still wanted" })).toBe(id);
    expect(await outreach.listLatestDrafts(10)).toMatchObject([{ id, title: "Still wanted" }]);
  });

  it("the sweep of drafts deletes a discarded one", async () => {
    const { clock, outreach, draft } = createTestOutreach(database);
    const id = await draft();
    await outreach.discardDraft(id);
    clock.forward(days(30));
    await sweepDrafts(database, "campaigns", clock);
    expect(await outreach.restoreDraft(id)).toBe(false);
  });

  it("a copy of a campaign has its content and is its operator's own", async () => {
    await signUp(database, people(1));
    const { outreach, confirmed, draft } = createTestOutreach(database);
    const campaignId = await confirmed({ title: "We open" });
    await outreach.cancel(campaignId, operator);
    const copy = (await outreach.copyAsDraft(campaignId, "bo@example.com")) ?? "";
    const original = await outreach.findCampaign(campaignId);
    expect(await outreach.findCampaign(copy)).toMatchObject({
      state: "draft",
      title: "We open",
      audience: original?.audience,
      message: original?.message,
      created_by: "bo@example.com",
    });
    expect(await outreach.copyAsDraft(await draft(), operator.by)).toBeUndefined();
    expect(await outreach.copyAsDraft("unknown", operator.by)).toBeUndefined();
  });
});
