import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { QUARANTINE_REASONS } from "~/lib/quarantine-reasons";
import { listState, oneOf } from "../list-state";

/** Filters by form and by reason. */
export const quarantineList = listState(
  { form: oneOf(SUBMISSION_KINDS), reason: oneOf(QUARANTINE_REASONS) },
  ({ form, reason }) => ({ kind: form, reason }),
);
