import type { Write } from "~/db/database.server";

/** Returns whether an account's login requires a code besides the password. */
export async function isSecondFactorOn(trx: Write, accountId: string): Promise<boolean> {
  const row = await trx
    .selectFrom("second_factors")
    .select("account_id")
    .where("account_id", "=", accountId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes an account's second factor and its recovery codes. */
export async function removeSecondFactor(trx: Write, accountId: string): Promise<void> {
  await trx.deleteFrom("second_factors").where("account_id", "=", accountId).execute();
  await trx.deleteFrom("recovery_codes").where("account_id", "=", accountId).execute();
}
