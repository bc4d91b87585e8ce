import type { Write } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables/submissions";

/** What an accepted submission is asked by: who it is from. */
type Applicant = Pick<SubmissionsTable, "kind" | "email" | "email_key">;

/**
 * The owner of an address confirms that they signed up (DOUBLE_OPT_IN).
 *
 * Contract
 * - `admit` says which state a submission gets that is no bot's. An unconfirmed one has its mail queued in the same
 *   transaction; of those about one address together at most one mail an hour goes out. Safe to be asked again.
 * - `wake` is called after that transaction, so that the mail goes at once.
 */
export interface OptIn {
  admit(trx: Write, applicant: Applicant, now: number): Promise<"accepted" | "unconfirmed">;
  wake(): void;
}

/** Everybody is taken at their word: DOUBLE_OPT_IN=off. */
export const noOptIn: OptIn = {
  admit: async () => "accepted",
  wake: () => undefined,
};
