import { sql } from "kysely";
import type { Write } from "~/db/database.server";

/**
 * Ends the emails nobody waits for, answers to forms and reminders, that a restored backup had on their way. The backup
 * does not know which of them were sent after it was made. Those in flight may have arrived.
 */
export async function skipAutomaticEmails(trx: Write, now: number): Promise<void> {
  await trx
    .updateTable("transactional_emails")
    .set({
      state: sql<"skipped" | "uncertain">`case when state = 'claimed' then 'uncertain' else 'skipped' end`,
      detail: "restored",
      lease_owner: "",
      lease_until: 0,
      updated_at: now,
    })
    .where("allowance_class", "=", "automatic")
    .where("state", "in", ["pending", "retrying", "claimed"])
    .execute();
}
