import { searchTerms } from "~/lib/search-words";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { Group, SearchSource } from "./search-source";
import { accounts } from "./sources/accounts.server";
import { actions } from "./sources/actions.server";
import { logs } from "./sources/logs.server";
import { mails } from "./sources/mails.server";
import { notifications } from "./sources/notifications.server";
import { people } from "./sources/people.server";
import { campaigns } from "./sources/campaigns.server";

/** Everything that can be found, in the order it is shown. */
const sources: readonly SearchSource[] = [actions, people, campaigns, notifications, mails, accounts, logs];

const SHOWN = 6;

/** What this person may see of what they typed, in groups; what has nothing is left out. */
export async function searchAll(typed: string, person: SignedIn): Promise<Group[]> {
  const asked = { typed, terms: searchTerms(typed), person };
  const groups = await Promise.all(
    sources.map(async ({ id, title, find, among, more }) => {
      // One more than is shown tells whether there is more.
      const found = await find(asked, SHOWN + 1);
      const hasMore = found.length > SHOWN;
      return { id, title, hits: found.slice(0, SHOWN), among, more: hasMore ? more?.(asked) : undefined };
    }),
  );
  return groups.filter(({ hits }) => hits.length > 0);
}
