import { matchesTerms, searchWords } from "~/lib/search-words";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { userManagement } from "~/services/container.server";
import type { SearchSource } from "../search-source";

const LOOKED_THROUGH = 500;

/** Who can log in here: for superadmins alone. */
export const accounts: SearchSource = {
  id: "accounts",
  title: operatorMessages.shell.search.groups.accounts,
  among: LOOKED_THROUGH,
  async find({ terms, person }, limit) {
    if (person.role !== "superadmin" || terms.length === 0) return [];
    const newest = await userManagement.list(person, { limit: LOOKED_THROUGH });
    return newest
      .filter(({ email, fullName }) => matchesTerms(searchWords({ email, name: fullName }), terms))
      .slice(0, limit)
      .map(({ email, fullName, role }) => ({
        to: paths.users,
        title: fullName || email,
        detail: `${email} · ${role}`,
      }));
  },
  more: () => ({ to: paths.users, name: operatorMessages.users.seeAll }),
};
