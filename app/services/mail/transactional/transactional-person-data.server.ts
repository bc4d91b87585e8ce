import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import { countUpTo, hasRows } from "~/db/rows";
import { SENT_STATES } from "~/services/mail/delivery/delivery-result";
import type { PersonData } from "~/services/people/person-data";
import { ERASED } from "~/services/suppressions/suppressions.server";

/**
 * The emails to a person that are no deliveries of campaigns. Their rows stay without the address until they are
 * swept, because their `unique_key` prevents a second email.
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

/** Lists the emails to an address, newest first. @param limit left out: all. */
export function listTransactionalEmails(read: Read, emailKey: string, limit?: number) {
  return (
    read
      .selectFrom("transactional_emails")
      // Of automatic emails.
      .leftJoin("automatic_texts", "automatic_texts.id", "text_id")
      .select([
        "transactional_emails.id",
        "kind",
        "address",
        "message_id",
        "state",
        "detail",
        "attempts",
        "created_at",
        "updated_at",
        "subject",
      ])
      .where("email_key", "=", emailKey)
      .orderBy("transactional_emails.id", "desc")
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute()
  );
}

/** Counts the emails to an address that were sent, or may have been, up to a limit. */
export const countSentTransactional = (read: Read, emailKey: string, limit: number): Promise<number> =>
  countUpTo(
    limit,
    read,
    read
      .selectFrom("transactional_emails")
      .select("id")
      .where("email_key", "=", emailKey)
      .where("state", "in", SENT_STATES)
      // As the index has them: PostgreSQL would otherwise scan the table for an address that got many.
      .orderBy("id", "desc"),
  );
