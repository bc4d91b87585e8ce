import { anyText, listState, oneOf } from "~/http/list-state";
import type { ValuesOf } from "~/http/list-state";
import { emailKey } from "~/lib/email-address";
import { SUPPRESSION_REASONS } from "~/services/suppressions/suppression-reasons";

const MAX_PREFIX_LENGTH = 100;

/** Filters by reason and by the start of the address. */
export const suppressionsList = listState(
  {
    reason: oneOf(SUPPRESSION_REASONS),
    prefix: {
      ...anyText,
      clean: (typed: string) => emailKey(typed).toWellFormed().slice(0, MAX_PREFIX_LENGTH),
    },
  },
  (filter) => filter,
);
export type SuppressionValues = ValuesOf<typeof suppressionsList>;
