import { anyText, linkTo, listState, oneOf } from "~/http/list-state";
import type { ValuesOf } from "~/http/list-state";
import { emailKey } from "~/lib/email-address";
import { paths } from "~/paths";
import { SUPPRESSION_REASONS } from "~/services/suppressions/suppression-reasons";

const LONGEST_PREFIX = 100;

/** By why an address is there, and what it begins with. */
export const suppressionsList = listState(
  {
    reason: oneOf(SUPPRESSION_REASONS),
    prefix: {
      error: anyText.error,
      clean: (typed: string) => emailKey(typed).toWellFormed().slice(0, LONGEST_PREFIX),
      parse: anyText.parse,
    },
  },
  (filter) => filter,
);
export type SuppressionValues = ValuesOf<typeof suppressionsList>;

interface Place {
  /** The page after this id. */
  before?: string | undefined;
  /** The question that is asked. */
  step?: "release" | undefined;
  /** Ids that are selected. */
  id?: readonly string[] | undefined;
}

/** The page's URL: everything a reload should keep. */
export function suppressionsAt(values: SuppressionValues, place: Place = {}): string {
  return linkTo(paths.suppressions, { ...values, ...place });
}
