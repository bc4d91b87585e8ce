import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import type { PersonData } from "~/services/people/person-data";
import { ERASED } from "~/services/suppressions/suppressions.server";

/**
 * The emails to a person that are no deliveries of campaigns. Their rows stay without the address until they are
 * swept, because their keys prevent a second email.
 */
export const transactionalPersonData: PersonData = {
  name: "transactionalEmails",
  columns: { transactional_emails: ["address", "email_key", "detail"] },

  export: (read, emailKey) => listTransactionalEmails(read, emailKey),

  isSending: (read, emailKey) =>
    hasRows(
      read
        .selectFrom("transactional_emails")
        .where("email_key", "=", emailKey)
        .where("state", "=", "claimed"),
    ),

  async lock(trx, emailKey) {
    const rows = trx.selectFrom("transactional_emails").select("id").where("email_key", "=", emailKey);
    await rows.forUpdate().execute();
  },

  async erase(trx, emailKey, now) {
    await trx
      .updateTable("transactional_emails")
      .set({
        address: ERASED,
        email_key: sql<string>`'erased ' || id`,
        updated_at: now,
        detail: sql<string>`case when state = 'skipped' then detail when state in ('pending', 'retrying') then ${ERASED} else '' end`,
        state: sql<"skipped">`case when state in ('pending', 'retrying') then 'skipped' else state end`,
      })
      .where("email_key", "=", emailKey)
      .execute();
  },
};

/** Lists the emails, newest first. */
function listTransactionalEmails(read: Read, emailKey: string) {
  return read
    .selectFrom("transactional_emails")
    .select(["kind", "address", "message_id", "state", "detail", "attempts", "created_at", "updated_at"])
    .where("email_key", "=", emailKey)
    .orderBy("id", "desc")
    .execute();
}
