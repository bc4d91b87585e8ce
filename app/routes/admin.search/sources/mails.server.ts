import { matchesTerms, searchWords } from "~/lib/search-words";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { outbox } from "~/services/container.server";
import type { SearchSource } from "../search-source";

const LOOKED_THROUGH = 500;

/** Mails by whom they are to and what they are about, where they are kept in the outbox. */
export const mails: SearchSource = {
  id: "mails",
  title: operatorMessages.shell.search.groups.mails,
  among: LOOKED_THROUGH,
  async find({ terms }, limit) {
    if (!outbox || terms.length === 0) return [];
    const newest = await outbox.list({ limit: LOOKED_THROUGH });
    return newest
      .filter(({ toAddress, subject }) =>
        matchesTerms(searchWords({ email: toAddress, name: subject }), terms),
      )
      .slice(0, limit)
      .map(({ id, toAddress, subject, createdAt }) => ({
        to: paths.outboxMail(id),
        isFile: true,
        title: subject,
        detail: toAddress,
        at: createdAt,
      }));
  },
};
