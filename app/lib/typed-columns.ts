import { getFields, SUBMISSION_KINDS, type TypedColumn } from "./form-fields";

/** Columns with what people type into the forms. */
export const TYPED_COLUMNS: readonly TypedColumn[] = [
  ...new Set(SUBMISSION_KINDS.flatMap((kind) => getFields(kind).map(({ column }) => column))),
];

/** Empty values for every typed column; the form's own columns override them. */
export const EMPTY_FIELDS = Object.fromEntries(TYPED_COLUMNS.map((column) => [column, ""])) as Record<
  TypedColumn,
  ""
>;
