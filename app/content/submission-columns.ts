import type { SubmissionKind } from "~/db/tables/submissions";
import type { TypedSubmission } from "~/services/signups/typed-columns";

export type Column = keyof TypedSubmission;

/** Columns and headers of each form, in the order of the specification (sections 2 and 3). */
const COLUMNS: Record<SubmissionKind, readonly (readonly [Column, header: string])[]> = {
  "early-access": [
    ["name", "Name"],
    ["email", "Email"],
    ["company", "Company"],
    ["role", "Role"],
    ["created_at", "Timestamp"],
  ],
  "contact-form": [
    ["created_at", "Timestamp"],
    ["name", "Full Name"],
    ["email", "Email"],
    ["inquiry_type", "Inquiry Type"],
    ["message", "Message"],
  ],
  "updates-signup": [
    ["created_at", "Timestamp"],
    ["name", "Name"],
    ["email", "Email"],
  ],
};

/** Returns the form's columns, each with its header. */
export const listColumns = (kind: SubmissionKind) => COLUMNS[kind];
export const getColumns = (kind: SubmissionKind): Column[] => COLUMNS[kind].map(([column]) => column);

export const getHeaders = (kind: SubmissionKind): string[] => COLUMNS[kind].map(([, header]) => header);

/** Returns the spreadsheet letter of the form's last column. */
export const getLastColumnLetter = (kind: SubmissionKind): string =>
  String.fromCharCode(64 + COLUMNS[kind].length);

type Texts = Readonly<Record<Exclude<Column, "created_at">, string>> & Pick<TypedSubmission, "created_at">;

/** Returns a submission's value in a column, as files and mirrors have it. */
export function toCell(column: Column, submission: Texts): string {
  return column === "created_at" ? new Date(submission.created_at).toISOString() : submission[column];
}

/** Returns a submission's values in the order of its headers. */
export const toCells = (kind: SubmissionKind, submission: Texts): string[] =>
  getColumns(kind).map((column) => toCell(column, submission));
