import type { Write } from "~/db/database.server";

/**
 * Withdraws pending changes of addresses, in the transaction that is the reason for it.
 * @param accountId left out: those of every account.
 * @returns the addresses they would have led to.
 */
export async function withdrawPendingEmailChanges(
  trx: Write,
  now: number,
  accountId?: string,
): Promise<string[]> {
  const rows = await trx
    .updateTable("email_changes")
    .set({ withdrawn_at: now })
    .where("confirmed_at", "is", null)
    .where("withdrawn_at", "is", null)
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
    .returning("email")
    .execute();
  return rows.map(({ email }) => email);
}
