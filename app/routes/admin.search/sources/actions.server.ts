import { matchesTerms, wordsOf } from "~/lib/search-words";
import { operatorMessages } from "~/operator-messages";
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
      ...{ role, passwordIsTemporary, firstPage: undefined, mail: status.mail, quarantined: 0 },
      ...{ mirrors: status.mirrors, undecidedCopies: 0 },
    });
    const screens = [
      ...entries,
      { to: paths.shortcuts, name: copy.shortcuts.title, also: "keys help", deeds: [] },
    ];
    const all = screens.flatMap(({ to, name, also, deeds = [] }) => [
      { to, name, also, detail: undefined },
      ...deeds.map((deed) => ({ to, ...deed, detail: name })),
    ]);
    return all
      .filter(({ name, also = "", detail }) =>
        terms.length === 0 ? detail === undefined : matchesTerms(wordsOf(`${name} ${also}`), terms),
      )
      .slice(0, terms.length === 0 ? all.length : limit)
      .map(({ to, name, detail }) => ({ to, title: name, detail }));
  },
};
