import { sql, type Expression } from "kysely";
import type { Read } from "~/db/database.server";
import { fetchPage } from "~/db/rows";
import type { Campaign } from "~/db/tables/outreach";
import type { ListPage } from "~/lib/list-page";
import { isUuid } from "~/lib/uuid";
import { LAST_CONFIRMED_FIRST, type CampaignSort } from "./campaign-sorts";
import { waitsForStart } from "./schedule";

export async function findCampaign(read: Read, id: string): Promise<Campaign | undefined> {
  if (!isUuid(id)) return undefined;
  return read.selectFrom("campaigns").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The expressions of the indexes campaigns_by_confirmed and campaigns_by_title. */
const KEYS: Record<CampaignSort, Expression<string | number>> = {
  confirmed: sql.ref<number>("confirmed_at"),
  title: sql<string>`lower(title)`,
};

/** Lists confirmed campaigns, the last confirmed first unless another order is given. */
export async function listCampaigns(read: Read, page: ListPage, order = LAST_CONFIRMED_FIRST) {
  const confirmed = read
    .selectFrom("campaigns")
    .select(["id", "state", "title", "audience", "narrowing", "wave", "created_by", "confirmed_at"])
    .select(["hold", "hold_until", "hold_detail", "when_missed", "latest_answers"])
    // Literal, not bound: SQLite uses the partial indexes only then.
    .where(sql<boolean>`state <> 'draft'`);
  const campaigns = await fetchPage(confirmed, page, { key: KEYS[order.sort], direction: order.direction });
  return campaigns.map((campaign) => ({
    ...campaign,
    isScheduled: waitsForStart(campaign),
  }));
}

/**
 * Lists the titles of the latest confirmed campaigns, newest first, to choose from.
 * @param chosen id of a campaign that is listed in any case.
 */
export async function listCampaignTitles(
  read: Read,
  limit: number,
  chosen?: string,
): Promise<{ id: string; title: string }[]> {
  const latest = await listCampaigns(read, { limit });
  const titles = latest.map(({ id, title }) => ({ id, title }));
  const missing = chosen !== undefined && !titles.some(({ id }) => id === chosen);
  const campaign = missing ? await findCampaign(read, chosen) : undefined;
  return campaign ? [...titles, { id: campaign.id, title: campaign.title }] : titles;
}

export type Draft = Awaited<ReturnType<typeof listDrafts>>[number];

/** Lists every operator's drafts except discarded ones, last saved first. */
export function listDrafts(read: Read, page: ListPage) {
  const drafts = read
    .selectFrom("campaigns")
    .select(["id", "title", "audience", "narrowing", "created_by", "touched_at", "touched_by"])
    .where("state", "=", "draft")
    .where("finished_at", "is", null);
  return fetchPage(drafts, page, { key: sql.ref<number>("touched_at") });
}
