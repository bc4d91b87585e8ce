import { createHash } from "node:crypto";
import { cleanText, codePoints } from "~/lib/clean-text";
import { isPlainAddress, toAsciiAddress } from "~/lib/email-address";
import { getColumns } from "~/services/submissions/submission-columns";
import type { MirrorRow } from "./submission-mirror";
import {
  getFields,
  type FieldRule,
  type SubmissionKind,
  type TypedColumns,
  type TypedSubmission,
} from "~/lib/form-fields";
import { EMPTY_FIELDS } from "~/lib/typed-columns";

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

/**
 * Parses a row that a person wrote into a submission. A choice that the form does not offer becomes its most
 * general one; an invalid time becomes now.
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
  for (const { column, rule } of getFields(kind)) {
    const value = parseValue(rule, values[column]);
    if (value === undefined) return undefined;
    values[column] = value;
  }
  return { ...(values as TypedColumns), created_at: parseTime(values.created_at, now) };
}

/** @returns undefined for what the field does not take. */
function parseValue(rule: FieldRule, value: string): string | undefined {
  switch (rule.kind) {
    case "text":
      return codePoints(value) <= rule.max ? value : undefined;
    case "email": {
      const address = toAsciiAddress(value);
      return isPlainAddress(address) ? address : undefined;
    }
    case "choice": {
      if (value === "" && !rule.required) return "";
      return rule.choices.find((known) => known === value.toLowerCase()) ?? rule.fallback;
    }
  }
}

/** Parses ISO 8601 alone, with or without a time: 11/12/2026 is ambiguous. */
function parseTime(text: string, now: number): number {
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) || time < 0 || time > now ? now : time;
}
