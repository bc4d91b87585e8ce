import { CORRECTED_COLUMNS, type PersonFields } from "~/services/people/corrected-columns";

/** Hidden fields of what the form that corrects a person was shown, to notice what a colleague changed meanwhile. */
export const toShownInputs = (shown: PersonFields) =>
  CORRECTED_COLUMNS.map((column) => ({ name: `shown-${column}`, value: shown[column] }));

/** Reads them again. */
export function readShown(values: Readonly<Record<string, string>>): PersonFields {
  const entries = CORRECTED_COLUMNS.map((column) => [column, values[`shown-${column}`] ?? ""]);
  return Object.fromEntries(entries) as Record<keyof PersonFields, string>;
}
