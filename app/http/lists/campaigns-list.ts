import { CAMPAIGN_SORTS } from "~/services/outreach/campaign-sorts";
import { sortedList } from "../list-state";

export const campaignsList = sortedList(CAMPAIGN_SORTS);
