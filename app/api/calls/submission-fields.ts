import { z } from "zod";
import { getFields, type SubmissionKind, type TypedColumns } from "~/lib/form-fields";

/** What somebody typed into a form, in the names of the calls that store it. */
export const submissionFields = z.record(z.string(), z.string()).meta({
  description:
    "What was typed, by the fields of the call that stores such a form (`POST /api/signups/...`); empty where nothing was.",
});

/** Returns what somebody typed, by the names of the form's inputs. */
export function toSubmissionFields(kind: SubmissionKind, columns: TypedColumns): Record<string, string> {
  return Object.fromEntries(getFields(kind).map(({ input, column }) => [input, columns[column]]));
}
