import type { Write } from "~/db/database.server";

interface Those {
  /** Id of the account that invited. */
  readonly invitedBy?: string;
  /** Address in lower case that was invited. */
  readonly email?: string;
}

/**
 * Revokes pending invitations, in the transaction that is the reason for it.
 * @param those which of them; left out: all.
 */
export async function revokePending(trx: Write, now: number, those: Those = {}): Promise<void> {
  const { invitedBy, email } = those;
  let query = trx
    .updateTable("invitations")
    .set({ revoked_at: now })
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null);
  if (invitedBy !== undefined) query = query.where("invited_by", "=", invitedBy);
  if (email !== undefined) query = query.where("email", "=", email);
  await query.execute();
}
