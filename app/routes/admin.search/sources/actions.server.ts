import { matchesTerms, wordsOf } from "~/lib/search-words";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { entriesFor } from "~/routes/admin/navigation";
import { status } from "~/services/container.server";
import type { SearchSource } from "../search-source";

const copy = operatorMessages.shell;

/** The screens this person can open and what can be done there; with nothing typed, the screens. */
export const actions: SearchSource = {
  id: "actions",
  title: copy.search.groups.actions,
  async find({ terms, person }, limit) {
    const { role, passwordIsTemporary } = person;
    // Whoever searches has nothing left to set up first.
    const entries = entriesFor({
      role,
      passwordIsTemporary,
      firstPage: undefined,
      mail: status.mail,
      quarantined: 0,
      mirrors: status.mirrors,
      undecidedCopies: 0,
    });
    const screens = [
      ...entries,
      { to: paths.shortcuts, name: copy.shortcuts.title, also: "keys help", deeds: [] },
    ];
    const themes = Object.entries(copy.themes).map(([theme, name]) => ({
      to: paths.appearance,
      form: { theme },
      name,
      also: "appearance mode colors",
      detail: undefined,
    }));
    const logout = {
      to: paths.logout,
      form: {},
      name: copy.logout,
      also: "sign out leave",
      detail: undefined,
    };
    const all = [
      ...screens.flatMap(({ to, name, also, deeds = [] }) => [
        { to, form: undefined, name, also, detail: undefined },
        ...deeds.map((deed) => ({ to, form: undefined, ...deed, detail: name })),
      ]),
      ...themes,
      logout,
    ];
    return all
      .filter(({ name, also = "", detail }) =>
        terms.length === 0 ? detail === undefined : matchesTerms(wordsOf(`${name} ${also}`), terms),
      )
      .slice(0, terms.length === 0 ? all.length : limit)
      .map(({ to, form, name, detail }) => ({ to, form, title: name, detail }));
  },
};
