import { cleanText } from "~/lib/clean-text";
import { emailKey } from "~/lib/email-address";
import type { DeliveryFilter } from "~/services/outreach/deliveries.server";
import { DELIVERY_STATES } from "~/services/mail/delivery/delivery-result";
import { anyText, listState, oneOf } from "../list-state";

const MAX_PREFIX_LENGTH = 254;
const toPrefix = (typed: string) => cleanText(typed)?.slice(0, MAX_PREFIX_LENGTH) ?? "";

/** Filters by state, by reason and by the start of the address. */
export const deliveriesList = listState(
  {
    state: oneOf([...DELIVERY_STATES, "waiting"] as const),
    reason: { ...anyText, clean: toPrefix },
    q: { ...anyText, clean: (typed: string) => emailKey(toPrefix(typed)) },
  },
  ({ state, reason, q }): DeliveryFilter => ({ state, reason, prefix: q }),
);
