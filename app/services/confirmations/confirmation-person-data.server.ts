import type { Read } from "~/db/database.server";
import type { PersonData } from "~/services/people/person-data";

/** The request to confirm a person's address. */
export const confirmationPersonData: PersonData = {
  name: "confirmation",
  columns: { confirmations: "rows" },

  export: (read, emailKey) => findConfirmation(read, emailKey),

  async lock(trx, emailKey) {
    const rows = trx.selectFrom("confirmations").select("id").where("email_key", "=", emailKey);
    await rows.forUpdate().execute();
  },

  async erase(trx, emailKey) {
    await trx.deleteFrom("confirmations").where("email_key", "=", emailKey).execute();
  },
};

/** Finds the confirmation request of an address. */
export function findConfirmation(read: Read, emailKey: string) {
  return read
    .selectFrom("confirmations")
    .select(["address", "requested_at", "confirmed_at"])
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
}
