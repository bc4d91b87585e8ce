import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import type { PersonData } from "~/services/people/person-data";

/**
 * Why an address gets no email. An erasure keeps the opt-out of a person who unsubscribed: without it, the next
 * address list imported elsewhere, or the next form filled in for them, would start emails to them again.
 */
export const suppressionPersonData: PersonData = {
  name: "suppression",
  columns: { suppressions: "rows" },

  export: (read, emailKey) => findSuppression(read, emailKey),

  async erase(trx, emailKey) {
    await trx
      .deleteFrom("suppressions")
      .where("email_key", "=", emailKey)
      .where("opted_out", "=", 0)
      .execute();
    await trx
      .updateTable("suppressions")
      .where("email_key", "=", emailKey)
      .set({
        detail: "",
        delivery_id: null,
        address: emailKey,
        reason: sql<
          "complained" | "unsubscribed"
        >`case reason when 'complained' then reason else 'unsubscribed' end`,
      })
      .execute();
  },
};

/** Finds the suppression of an address. */
export function findSuppression(read: Read, emailKey: string) {
  return read
    .selectFrom("suppressions")
    .select(["address", "reason", "detail", "opted_out", "created_at"])
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
}
