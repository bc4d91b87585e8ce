import type { Write } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables/submissions";

/** Who a submission is from, and by which form. */
type Applicant = Pick<SubmissionsTable, "kind" | "email" | "email_key">;

export interface Admission {
  readonly state: "accepted" | "unconfirmed";
  /** Whether an email that asks for a confirmation was queued. */
  readonly isAsked: boolean;
}

/**
 * The owner of an address confirms that they signed up: for updates with DOUBLE_OPT_IN, and always where the address
 * unsubscribed before.
 *
 * Contract
 * - `admit` decides which state a submission gets that is no bot's. The email that asks is queued in the same transaction;
 *   of all about one address at most one an hour goes out. Safe to be called again.
 * - `wake` is called after that transaction, so that the email goes at once.
 */
export interface OptIn {
  /** Whether a signup for updates counts only after its confirmation (DOUBLE_OPT_IN). */
  readonly isRequired: boolean;
  admit(trx: Write, applicant: Applicant, now: number): Promise<Admission>;
  wake(): void;
}

/** Accepts everybody and asks nobody. */
export const noOptIn: OptIn = {
  isRequired: false,
  admit: async () => ({ state: "accepted", isAsked: false }),
  wake: () => undefined,
};
