import type { Selectable } from "kysely";
import type { ImportLinesTable, ImportsTable } from "~/db/tables/imports";
import { days, minutes } from "~/lib/durations";
import type { InvalidReason } from "~/lib/import-line";

export type ImportState = ImportsTable["state"];

/** The verdicts about a line, in display order. */
export const VERDICTS = ["new", "known", "suppressed", "invalid", "duplicate"] as const;
export type Verdict = (typeof VERDICTS)[number];
export const isVerdict = (value: string): value is Verdict => (VERDICTS as readonly string[]).includes(value);

/**
 * Why a line has its verdict. "status": the line says that nobody may write to the address. "status-below": a later line
 * does. "listed": the address was on the suppression list already; `listed_count` does not count it. "written-to": an undo
 * left its submission, because its person was written to since (listKept). "erased": its person was erased. "failed": the
 * work on it threw, and it was left out.
 */
export type LineReason =
  | ""
  | InvalidReason
  | "status"
  | "status-below"
  | "listed"
  | "known"
  | "repeated"
  | "written-to"
  | "erased"
  | "failed";

/** The states in which a worker goes through the lines. */
export const WORKING = ["checking", "running", "undoing"] as const satisfies readonly ImportState[];
export const isWorking = (state: ImportState): boolean => (WORKING as readonly ImportState[]).includes(state);

/** An import can be undone for this long after it finished or was cancelled; its submissions are mirrored after that. */
export const UNDO_MS = minutes(10);
/** Lines, which hold addresses, stay this long after the import is over, for "Download the rest". */
export const LINES_KEPT_MS = days(7);
/** An upload that is not started is discarded after this. */
export const UPLOAD_KEPT_MS = days(1);

/** Columns of the counts by verdict. */
export const COUNT_COLUMNS = {
  new: "new_count",
  known: "known_count",
  suppressed: "suppressed_count",
  invalid: "invalid_count",
  duplicate: "duplicate_count",
} as const satisfies Record<Verdict, keyof ImportsTable>;

export type StoredLine = Pick<
  Selectable<ImportLinesTable>,
  "line" | "cells" | "email_key" | "verdict" | "reason" | "submission_id" | "suppression_id"
>;
