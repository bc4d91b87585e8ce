import type { SortOrder } from "~/lib/list-page";

/** What the list of campaigns can be sorted by, with the direction that comes first. */
export const CAMPAIGN_SORTS = { confirmed: "desc", title: "asc" } as const;
export type CampaignSort = keyof typeof CAMPAIGN_SORTS;
export type CampaignOrder = SortOrder<CampaignSort>;

export const LAST_CONFIRMED_FIRST: CampaignOrder = { sort: "confirmed", direction: "desc" };
