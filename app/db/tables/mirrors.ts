import type { EpochMs, Truth } from "./columns";
import type { SubmissionKind } from "./submissions";

/** What of a mirror's sheet is known to us, a row each; none while no mirror is set up. */
export interface MirrorRowsTable {
  /** The submission's; an id of its own for a row that is none of ours. */
  id: string;
  kind: SubmissionKind;
  /** Counted from 1 below the header. Null while it has none. */
  place: number | null;
  /**
   * - waiting: what stands at its place is not what should. Without an accepted submission an empty row should.
   * - writing: a write of it has begun, and how it ended is not recorded.
   * - written: it stood there when that was seen last.
   * - uncertain: perhaps it stands there; a person decides.
   * - refused: the other side does not want it.
   * - left: its submission is gone, and we cannot take the row away.
   * - foreign: somebody else's row, which is no submission of its own.
   */
  state: "waiting" | "writing" | "written" | "uncertain" | "refused" | "left" | "foreign";
  /** SHA-256 of what stands there, hex; empty when nothing of ours ever stood there. */
  fingerprint: string;
  /** The other side's words; empty when it said nothing. */
  detail: string;
}

/** How the copy of a form's submissions fares; one row each, always there. */
export interface MirrorSheetsTable {
  kind: SubmissionKind;
  /** SHA-256 of what it is a copy in, hex: another mirror or sheet starts over. Empty before the first. */
  target: string;
  /** Null before all that was there was taken over and all that we have was queued. */
  connected_at: EpochMs | null;
  written_at: EpochMs | null;
  /** When all of it was read and compared. */
  checked_at: EpochMs | null;
  /** How many rows of ours were changed or gone then. */
  drifted: number;
  is_repair_asked: Truth;
  /** Why nothing is written: deferred continues by itself at `not_before`, misconfigured waits for a person. */
  trouble: "" | "deferred" | "misconfigured";
  detail: string;
  not_before: EpochMs;
  /** The instance that writes it: `{instance}/{boot id}`. */
  lease_owner: string;
  lease_until: EpochMs;
}
