import { listState, oneOf, type ValuesOf } from "~/http/list-state";
import { QUARANTINE_REASONS, SUBMISSION_KINDS } from "~/services/signups/typed-columns";

export const ACTIONS = ["release", "purge"] as const;

export const quarantineList = listState(
  { form: oneOf(SUBMISSION_KINDS), reason: oneOf(QUARANTINE_REASONS) },
  ({ form, reason }) => ({ kind: form, reason }),
);
export type QuarantineValues = ValuesOf<typeof quarantineList>;
