import { linkTo, listState, oneOf } from "~/http/list-state";
import type { ValuesOf } from "~/http/list-state";
import { paths } from "~/paths";
import { QUARANTINE_REASONS, SUBMISSION_KINDS } from "~/services/signups/typed-columns";

export const DEEDS = ["release", "purge"] as const;
export type Deed = (typeof DEEDS)[number];

export const quarantineList = listState(
  { form: oneOf(SUBMISSION_KINDS), reason: oneOf(QUARANTINE_REASONS) },
  ({ form, reason }) => ({ kind: form, reason }),
);
export type QuarantineValues = ValuesOf<typeof quarantineList>;

interface Place {
  /** The page after this id. */
  before?: string | undefined;
  /** The question is about all that match up to this id, not about what is selected. */
  through?: string | undefined;
  /** The question that is asked. */
  step?: Deed | undefined;
  /** Ids that are selected. */
  id?: readonly string[] | undefined;
}

/** The page's URL: everything a reload should keep. */
export function quarantineAt(values: QuarantineValues, place: Place = {}): string {
  return linkTo(paths.quarantine, { ...values, ...place });
}
