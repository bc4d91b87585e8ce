import { anyText, listState, oneOf } from "~/http/list-state";
import type { ValuesOf } from "~/http/list-state";
import { cleanText } from "~/lib/clean-text";
import { emailKey } from "~/lib/email-address";
import type { DeliveryFilter } from "~/services/outreach/campaign-stats.server";

/** The states a recipient's row can be listed by. */
export const deliveryStates = [
  "pending",
  "claimed",
  "retrying",
  "sent",
  "failed",
  "skipped",
  "uncertain",
] as const;

export type ListedState = (typeof deliveryStates)[number];

const LONGEST = 254;
const cut = (typed: string) => cleanText(typed)?.slice(0, LONGEST) ?? "";

/** By state, by reason and by what the address begins with. */
export const deliveriesList = listState(
  {
    state: oneOf(deliveryStates),
    reason: { ...anyText, clean: cut },
    q: { ...anyText, clean: (typed: string) => emailKey(cut(typed)) },
  },
  ({ state, reason, q }): DeliveryFilter => ({ state, reason, prefix: q }),
);
export type DeliveryValues = ValuesOf<typeof deliveriesList>;
