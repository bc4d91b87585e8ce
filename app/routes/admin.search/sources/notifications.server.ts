import { matchesTerms, wordsOf } from "~/lib/search-words";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { broadcasts } from "~/services/container.server";
import type { SearchSource } from "../search-source";

const LOOKED_THROUGH = 500;

/** Sent push notifications by their titles. */
export const notifications: SearchSource = {
  id: "notifications",
  title: operatorMessages.shell.search.groups.notifications,
  among: LOOKED_THROUGH,
  async find({ terms }, limit) {
    if (terms.length === 0) return [];
    const newest = await broadcasts.latest(LOOKED_THROUGH);
    return newest
      .filter(({ title }) => matchesTerms(wordsOf(title), terms))
      .slice(0, limit)
      .map(({ id, title, state, confirmed_at }) => ({
        to: paths.broadcast(id),
        title,
        detail: operatorMessages.outreachBooks.states[state],
        at: confirmed_at ?? undefined,
      }));
  },
};
