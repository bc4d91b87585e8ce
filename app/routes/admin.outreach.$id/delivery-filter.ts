import { anyText, listState, oneOf } from "~/http/list-state";
import { cleanText } from "~/lib/clean-text";
import { emailKey } from "~/lib/email-address";
import type { DeliveryFilter } from "~/services/outreach/campaign-stats.server";
import { DELIVERY_STATES } from "~/services/outreach/delivery-result";

const MAX_PREFIX_LENGTH = 254;
const cut = (typed: string) => cleanText(typed)?.slice(0, MAX_PREFIX_LENGTH) ?? "";

/** Filters by state, by reason and by the start of the address. */
export const deliveriesList = listState(
  {
    state: oneOf(DELIVERY_STATES),
    reason: { ...anyText, clean: cut },
    q: { ...anyText, clean: (typed: string) => emailKey(cut(typed)) },
  },
  ({ state, reason, q }): DeliveryFilter => ({ state, reason, prefix: q }),
);
