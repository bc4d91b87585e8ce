import { createHash } from "node:crypto";
import type { SubmissionKind } from "~/db/tables/submissions";
import { cleanText, codePoints } from "~/lib/clean-text";
import { isPlainAddress, toAsciiAddress } from "~/lib/email-address";
import { CHOICES } from "~/services/submissions/submission-filter";
import { EMPTY_FIELDS, type TypedSubmission } from "~/services/signups/typed-columns";
import { getColumns } from "~/content/submission-columns";
import type { MirrorRow } from "./submission-mirror";

/**
 * Hashes a row: rows with the same fingerprint are equal. Empty cells at the end are ignored, so that a column
 * added there changes no row written before.
 * @param hasOurTime includes the time; false where the remote service writes its own.
 */
export function getFingerprint(kind: SubmissionKind, cells: MirrorRow, hasOurTime: boolean): string {
  const values = getColumns(kind).map((column, index) =>
    column === "created_at" && !hasOurTime ? "" : (cells[index] ?? ""),
  );
  while (values.at(-1) === "") values.pop();
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}

export const isEmpty = (cells: MirrorRow): boolean => cells.every((cell) => cell.trim() === "");

const MAX_LENGTHS = { name: 200, company: 200, message: 5000 } as const;

/**
 * Parses a row that a person wrote into a submission. A role or inquiry type that the form does not offer
 * becomes its most general value; an invalid time becomes now.
 * @returns undefined for anything else: a note, a sum, an invalid address.
 */
export function parseSubmission(
  kind: SubmissionKind,
  cells: MirrorRow,
  now: number,
): TypedSubmission | undefined {
  const values: Record<keyof TypedSubmission, string> = { ...EMPTY_FIELDS, created_at: "" };
  for (const [index, column] of getColumns(kind).entries()) {
    const text = cleanText(cells[index] ?? "");
    if (text === undefined) return undefined;
    values[column] = text;
  }
  const isTooLong = (["name", "company", "message"] as const).some(
    (column) => codePoints(values[column]) > MAX_LENGTHS[column],
  );
  values.email = toAsciiAddress(values.email);
  if (!isPlainAddress(values.email) || isTooLong) return undefined;
  const role = values.role.toLowerCase();
  const inquiryType = values.inquiry_type.toLowerCase();
  const general = kind === "contact-form" ? "general" : "";
  const other = role === "" ? "" : "other";
  return {
    ...values,
    role: CHOICES["early-access"].find((known) => known === role) ?? other,
    inquiry_type: CHOICES["contact-form"].find((known) => known === inquiryType) ?? general,
    created_at: parseTime(values.created_at, now),
  };
}

/** Parses only the format we write ourselves: 11/12/2026 is ambiguous. */
function parseTime(text: string, now: number): number {
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) || time < 0 || time > now ? now : time;
}
