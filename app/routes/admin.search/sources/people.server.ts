import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { peopleSearch } from "~/services/container.server";
import type { SearchSource } from "../search-source";

const copy = operatorMessages.shell.search;

/** Who signed up or wrote to us, each person once. It leads to all that is kept of them. */
export const people: SearchSource = {
  id: "people",
  title: copy.groups.people,
  async find({ typed }, limit) {
    const found = await peopleSearch.find({ typed }, { limit });
    return found.map(({ id, kinds, name, email, created_at }) => ({
      to: paths.person(id),
      title: name || email,
      detail: `${email} · ${kinds.map((kind) => copy.forms[kind]).join(", ")}`,
      at: created_at,
    }));
  },
  more: ({ typed }) => ({ to: paths.searchFor(typed, "people"), name: copy.morePeople }),
};
