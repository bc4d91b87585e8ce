import { createHash } from "node:crypto";
import type { SubmissionKind } from "~/db/tables/submissions";
import { cleanText, codePoints } from "~/lib/clean-text";
import { isPlainAddress } from "~/lib/email-address";
import type { TypedSubmission } from "~/services/signups/typed-columns";
import { cellsOf as writtenCells, columnsOf } from "~/content/submission-columns";
import type { MirrorRow } from "./submission-mirror";

/** As its row; without a submission an empty one, as wide as the others. */
export function cellsOf(kind: SubmissionKind, submission: TypedSubmission | undefined): MirrorRow {
  return submission ? writtenCells(kind, submission) : columnsOf(kind).map(() => "");
}

/**
 * What a row is known by: two rows are the same when it is. Empty cells at its end say nothing, so that a column that is
 * added there changes no row that was written before.
 * @param timed whether the time counts; not where the other side writes its own.
 */
export function fingerprintOf(kind: SubmissionKind, cells: MirrorRow, timed: boolean): string {
  const said = columnsOf(kind).map((column, index) =>
    column === "created_at" && !timed ? "" : (cells[index] ?? ""),
  );
  while (said.at(-1) === "") said.pop();
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}

export const isEmpty = (cells: MirrorRow): boolean => cells.every((cell) => cell.trim() === "");

const ROLES = ["executive", "manager", "developer"] as const;
const INQUIRIES = ["general", "partnership", "support"] as const;
const LONGEST = { name: 200, company: 200, message: 5000 } as const;

/**
 * A row that a person wrote, as a submission. What the lists of a form do not have becomes their most general entry, a
 * time that is none becomes now.
 * @returns undefined for what is no submission: a note, a sum, an address that is none.
 */
export function submissionFrom(
  kind: SubmissionKind,
  cells: MirrorRow,
  now: number,
): TypedSubmission | undefined {
  const said: Partial<Record<keyof TypedSubmission, string>> = {};
  for (const [index, column] of columnsOf(kind).entries()) {
    const text = cleanText(cells[index] ?? "");
    if (text === undefined) return undefined;
    said[column] = text;
  }
  const { name = "", email = "", company = "", role = "", inquiry_type = "", message = "" } = said;
  const texts = { name, company, message };
  const isTooLong = (["name", "company", "message"] as const).some(
    (column) => codePoints(texts[column]) > LONGEST[column],
  );
  if (!isPlainAddress(email) || isTooLong) return undefined;
  const general = kind === "contact-form" ? "general" : "";
  const other = role === "" ? "" : "other";
  return {
    email,
    ...texts,
    role: ROLES.find((known) => known === role.toLowerCase()) ?? other,
    inquiry_type: INQUIRIES.find((known) => known === inquiry_type.toLowerCase()) ?? general,
    created_at: timeFrom(said.created_at ?? "", now),
  };
}

/** Only what we write ourselves is a time for certain: 11/12/2026 is two days. */
function timeFrom(text: string, now: number): number {
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) || time < 0 || time > now ? now : time;
}
