import type { Write } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables/submissions";

type Applicant = Pick<SubmissionsTable, "kind" | "email" | "email_key">;

interface Admission {
  readonly state: "accepted" | "unconfirmed";
  /** True when an email that asks for a confirmation was queued. */
  readonly isEmailQueued: boolean;
}

/**
 * Requires the owner of an address to confirm the signup: for updates with DOUBLE_OPT_IN, and always where the
 * address unsubscribed before.
 *
 * Contract
 * - `admit` decides the state of a submission that is not quarantined. It queues the confirmation email in the same
 *   transaction; each address gets at most one per hour. Safe to call again.
 * - `wake` is called after that transaction, so that the email goes at once.
 */
export interface OptIn {
  /** True when a signup for updates counts only after its confirmation (DOUBLE_OPT_IN). */
  readonly isRequired: boolean;
  admit(trx: Write, applicant: Applicant, now: number): Promise<Admission>;
  wake(): void;
}

/** Accepts every submission without a confirmation. */
export const noOptIn: OptIn = {
  isRequired: false,
  admit: async () => ({ state: "accepted", isEmailQueued: false }),
  wake: () => undefined,
};
