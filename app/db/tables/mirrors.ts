import type { Generated } from "kysely";
import type { SubmissionKind } from "~/lib/form-fields";
import type { EpochMs, IntegerBoolean } from "./columns";

/** Known rows of a mirror's sheets; none while no mirror is set up. */
export interface MirrorRowsTable {
  /** Id of the submission; a generated one for a row that is not ours. */
  id: string;
  kind: SubmissionKind;
  /** Counted from 1 below the header. Null while it has none. */
  place: number | null;
  /**
   * - waiting: the row in the sheet differs from what it should be. Without an accepted submission it should be
   *   empty.
   * - writing: a write has begun, and its result is not recorded.
   * - written: the row was there when it was last checked.
   * - uncertain: the row may be there; a person decides.
   * - refused: the other side refuses it.
   * - left: its submission is gone, and we cannot remove the row.
   * - foreign: a row of somebody else, which is not a submission of ours.
   */
  state: "waiting" | "writing" | "written" | "uncertain" | "refused" | "left" | "foreign";
  /**
   * SHA-256 of the row in the sheet, hex; empty until a write of it is known to have arrived; it may be there all the
   * same.
   */
  fingerprint: string;
  /** Fingerprint of the row as the last write sent it; empty before the first. */
  sent_fingerprint: Generated<string>;
  /** Last response of the other side; empty without one. */
  detail: string;
}

/** State of the copy of each form's submissions; one row each, always there. */
export interface MirrorSheetsTable {
  kind: SubmissionKind;
  /** SHA-256 of the target, hex: another mirror or sheet starts over. Empty before the first. */
  target: string;
  /** Null until all existing rows were imported and all submissions were queued. */
  connected_at: EpochMs | null;
  written_at: EpochMs | null;
  /** Time of the last complete read and comparison. */
  checked_at: EpochMs | null;
  /** Number of our rows that were changed or gone then. */
  drifted: number;
  is_repair_requested: IntegerBoolean;
  /** Reason why nothing is written: "deferred" retries at `not_before`, "misconfigured" waits for a person. */
  problem: "" | "deferred" | "misconfigured";
  detail: string;
  not_before: EpochMs;
  /** Instance that writes it: `{instance}/{boot id}`. */
  lease_owner: string;
  lease_until: EpochMs;
}

export interface MirrorTables {
  mirror_rows: MirrorRowsTable;
  mirror_sheets: MirrorSheetsTable;
}
