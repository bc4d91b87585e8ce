import { capitalize } from "~/lib/capitalize";
import {
  getFields,
  listColumns,
  SUBMISSION_KINDS,
  type SubmissionKind,
  type TypedColumn,
  type TypedSubmission,
} from "~/lib/form-fields";
import { TYPED_COLUMNS } from "~/lib/typed-columns";

export type Column = TypedColumn | "created_at";

/** Returns the columns of the form that the dashboard, files and mirrors have, in order. */
export const getColumns = (kind: SubmissionKind): Column[] => listColumns(kind).map(({ column }) => column);

export const getHeaders = (kind: SubmissionKind): string[] => listColumns(kind).map(({ csv }) => csv);

/** Returns the spreadsheet letter of the form's last column. */
export const getLastColumnLetter = (kind: SubmissionKind): string =>
  String.fromCharCode(64 + listColumns(kind).length);

const CHOICE_COLUMNS: ReadonlySet<Column> = new Set(
  SUBMISSION_KINDS.flatMap(getFields)
    .filter(({ rule }) => rule.kind === "choice")
    .map(({ column }) => column),
);

/** Returns a column's value as screens and files show it: what is chosen from a list begins with a capital letter. */
export const formatValue = (column: Column, value: string): string =>
  CHOICE_COLUMNS.has(column) ? capitalize(value) : value;

/** Returns what people typed as screens show it. */
export function formatTyped(submission: Readonly<Record<TypedColumn, string>>): Record<TypedColumn, string> {
  const values = TYPED_COLUMNS.map((column) => [column, formatValue(column, submission[column])]);
  return Object.fromEntries(values) as Record<TypedColumn, string>;
}

type Texts = Readonly<Record<TypedColumn, string>> & Pick<TypedSubmission, "created_at">;

/** Returns a submission's value in a column, as mirrors have it; files format it (`formatValue`). */
export function toCell(column: Column, submission: Texts): string {
  return column === "created_at" ? new Date(submission.created_at).toISOString() : submission[column];
}

/** Returns a submission's values in the order of its headers. */
export const toCells = (kind: SubmissionKind, submission: Texts): string[] =>
  getColumns(kind).map((column) => toCell(column, submission));
