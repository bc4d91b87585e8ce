import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import type { PersonData } from "~/services/people/person-data";
import type { Outbox } from "./outbox.server";

/** Creates the entry of emails that the outbox keeps instead of sending them, or kept before another driver was chosen. */
export function createOutboxPersonData(outbox: Outbox): PersonData {
  return {
    name: "outbox",
    columns: { outbox_emails: "rows" },
    export: (read, emailKey) => listStoredEmails(read, emailKey),
    eraseOutside: async (emailKey) => outbox.eraseAllTo(emailKey),
  };
}

/** Lists the kept emails to an address, newest first. @param limit left out: all. */
export function listStoredEmails(read: Read, emailKey: string, limit?: number) {
  return read
    .selectFrom("outbox_emails")
    .select(["id", "subject", "message_id", "file", "created_at"])
    .where(sql<string>`lower(to_address)`, "=", emailKey)
    .orderBy("id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
}
