import { minutes } from "~/lib/durations";
import type { DeliveriesTable, ConfirmationsTable, SuppressionsTable } from "~/db/tables/outreach";
import type { TransactionalEmailsTable } from "~/db/tables/transactional-emails";
import type { WaveInvitation } from "~/services/waves/merged-invitations.server";
import type { CorrectableFields } from "~/services/submissions/submission-states.server";
import type { CorrectedColumn } from "./corrected-columns";

/** Time within which a correction can be undone. */
export const UNDO_MS = minutes(10);

/** What the undo of a correction restores. Stored as JSON for as long as it can be undone. */
export interface Undo {
  /** The old and the new value of each corrected column of the person. */
  readonly changes: Partial<Record<CorrectedColumn, readonly [before: string, after: string]>>;
  /** The submissions as they were. */
  readonly before: readonly CorrectableFields[];
  /** And as the correction left them: what differs was changed since. */
  readonly after: readonly CorrectableFields[];
  /** Of an address: deliveries that follow it, as they were. */
  readonly deliveries: readonly Pick<DeliveriesTable, "id" | "address" | "email_key" | "state" | "detail">[];
  /** Deliveries that keep a campaign from a second email to the person. */
  readonly placeholders: readonly string[];
  /** The suppression of the new address before the old one's came to it; null for none, undefined for no change. */
  readonly suppression?:
    { readonly before: SuppressionsTable | null; readonly after: SuppressionsTable } | undefined;
  /** The open confirmation request of the old address, which was withdrawn. */
  readonly withdrawn?: ConfirmationsTable | undefined;
  /** The email of that request as it waited to be sent; undefined where it did not wait. */
  readonly unsent?: Pick<TransactionalEmailsTable, "id" | "state" | "detail"> | undefined;
  /**
   * The confirmation request that the new address already had before `follow` requested one there, put back by the undo;
   * undefined where it had none.
   */
  readonly asked?: ConfirmationsTable | undefined;
  /** Time at which the person had confirmed the old address; null: they had not. Left out: by an earlier version. */
  readonly confirmedAt?: number | null;
  /** Of a merge: the notes and corrections of the person taken in. */
  readonly notes: readonly string[];
  readonly corrections: readonly string[];
  /** And the invitations of both as they were; left out: before there were any. */
  readonly invitations?: readonly WaveInvitation[];
  /** And the campaigns in which the kept person has the place of the other; left out: before there were any. */
  readonly chosenFor?: readonly string[];
}
