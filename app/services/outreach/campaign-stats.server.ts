import type { Read } from "~/db/database.server";
import type { DeliveryState } from "~/db/tables/outreach";
import { toListedStats, type ListedStats } from "~/services/queue/delivery-stats.server";
import { IS_DUE } from "~/services/queue/leases.server";

/** selected = sent + failed + skipped + uncertain + pending, at every moment. */
export type CampaignStats = Awaited<ReturnType<typeof getCampaignStats>>;

/** @throws when there is no such campaign. */
export async function getCampaignStats(read: Read, campaignId: string) {
  const campaign = await read
    .selectFrom("campaigns")
    .select(["state", "hold_detail", "counted", "prepared_through", "audience_through"])
    .where("id", "=", campaignId)
    .executeTakeFirstOrThrow();
  const rows = await read
    .selectFrom("delivery_counts")
    .select(({ fn }) => ["state", "reason", fn.sum<number>("count").as("count")])
    .where("campaign_id", "=", campaignId)
    .groupBy(["state", "reason"])
    .having(({ fn }) => fn.sum("count"), ">", 0)
    .execute();

  const total = (...states: DeliveryState[]) =>
    rows.reduce((sum, row) => (states.includes(row.state) ? sum + row.count : sum), 0);
  const counts = {
    sent: total("sent"),
    failed: total("failed"),
    skipped: total("skipped"),
    uncertain: total("uncertain"),
    /** Not settled: not attempted, waiting for a retry, or in flight. */
    pending: total("pending", "claimed", "retrying"),
  };
  const selected = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const retrying = total("retrying");
  const isPrepared = campaign.prepared_through === campaign.audience_through;
  return {
    state: campaign.state,
    /** The mail server's reply that made the campaign wait or pause; empty otherwise. */
    holdDetail: campaign.hold_detail,
    ...counts,
    /** Deliveries created so far: final once the state is past `preparing`. */
    selected,
    /** Selected and not skipped: the reviewed number, less those removed or skipped since. */
    recipients: selected - counts.skipped,
    /** Addresses that the review counted and the preparation no longer found, as after a deletion; 0 until it has ended. */
    goneSinceReview: isPrepared ? Math.max(0, campaign.counted - selected) : 0,
    inFlight: total("claimed"),
    retrying,
    /** When the first retry is due, in epoch milliseconds, if only retries are pending. */
    nextAttemptAt:
      retrying > 0 && retrying === counts.pending ? await getNextAttempt(read, campaignId) : undefined,
    skippedByReason: Object.fromEntries(
      rows.filter((row) => row.state === "skipped").map((row) => [row.reason, row.count]),
    ),
    /** Subsets of `sent`: permanent bounces and complaints reported after the emails were sent (services/bounces). */
    returned: await countReturned(read, campaignId),
  };
}

/** Returns when the next delivery is due, read from one end of the index `deliveries_due`. */
async function getNextAttempt(read: Read, campaignId: string): Promise<number | undefined> {
  const row = await read
    .selectFrom("deliveries")
    .select("not_before")
    .where("campaign_id", "=", campaignId)
    .where(IS_DUE)
    .orderBy("not_before")
    .limit(1)
    .executeTakeFirst();
  return row?.not_before;
}

/** Returns the totals of these campaigns by their ids, in one query; without those that have no recipients yet. */
export async function getListedStats(read: Read, ids: readonly string[]): Promise<Map<string, ListedStats>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom("delivery_counts")
    .select(({ fn }) => ["campaign_id as id", "state", fn.sum<number>("count").as("count")])
    .where("campaign_id", "in", ids)
    .groupBy(["campaign_id", "state"])
    .execute();
  return toListedStats(rows);
}

/** Counts bounces and complaints of a campaign from an index alone. */
async function countReturned(read: Read, campaignId: string) {
  const rows = await read
    .selectFrom("bounces")
    .select(({ fn }) => ["type", fn.count<number>("delivery_id").distinct().as("count")])
    .where("campaign_id", "=", campaignId)
    .where("permanent", "=", 1)
    .groupBy("type")
    .execute();
  const count = (type: string) => rows.find((row) => row.type === type)?.count ?? 0;
  return { bounced: count("bounce"), complained: count("complaint") };
}
