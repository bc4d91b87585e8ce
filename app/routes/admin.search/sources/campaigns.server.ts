import { matchesTerms, wordsOf } from "~/lib/search-words";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { outreach } from "~/services/container.server";
import type { SearchSource } from "../search-source";

const LOOKED_THROUGH = 500;

/** Confirmed outreach mails by their titles. */
export const campaigns: SearchSource = {
  id: "sends",
  title: operatorMessages.shell.search.groups.sends,
  among: LOOKED_THROUGH,
  async find({ terms }, limit) {
    if (terms.length === 0) return [];
    const newest = await outreach.latestCampaigns(LOOKED_THROUGH);
    return newest
      .filter(({ title }) => matchesTerms(wordsOf(title), terms))
      .slice(0, limit)
      .map(({ id, title, state, confirmed_at }) => ({
        to: paths.outreachCampaign(id),
        title,
        detail: operatorMessages.outreachBooks.states[state],
        at: confirmed_at ?? undefined,
      }));
  },
};
