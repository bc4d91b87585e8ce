import { emailKey } from "~/lib/email-address";
import { SUPPRESSION_REASONS, SUPPRESSION_SORTS } from "~/services/suppressions/suppression-reasons";
import { anyText, listState, oneOf, sortFields, toOrder } from "../list-state";

const MAX_PREFIX_LENGTH = 100;

/** Filters by reason and by the start of the address. */
export const suppressionsList = listState(
  {
    reason: oneOf(SUPPRESSION_REASONS),
    prefix: {
      ...anyText,
      clean: (typed: string) => emailKey(typed).toWellFormed().slice(0, MAX_PREFIX_LENGTH),
    },
    ...sortFields(SUPPRESSION_SORTS),
  },
  ({ reason, prefix, ...order }) => ({
    filter: { reason, prefix },
    order: toOrder(SUPPRESSION_SORTS, order),
  }),
);
