import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import { selectDeliveries } from "~/services/outreach/delivery-person-data.server";
import type { PersonData } from "~/services/people/person-data";
import { ERASED } from "~/services/suppressions/suppressions.server";

/** Reports about emails to a person. They stay under their hash, so that the same report, sent again, changes nothing. */
export const bouncePersonData: PersonData = {
  name: "reports",
  columns: { bounces: ["address", "reason"] },

  export: (read, emailKey) => listReports(read, emailKey),

  async erase(trx, emailKey) {
    const erased = { address: ERASED, reason: "" };
    await trx
      .updateTable("bounces")
      .set(erased)
      .where(sql<string>`lower(address)`, "=", emailKey)
      .execute();
    const emails = await selectDeliveries(trx, emailKey).select(["deliveries.id", "campaign_id"]).execute();
    if (emails.length === 0) return;
    const campaigns = new Set(emails.map((email) => email.campaign_id));
    const deliveries = emails.map(({ id }) => id);
    // A forwarded email bounces from another address of theirs.
    await trx
      .updateTable("bounces")
      .set(erased)
      .where("campaign_id", "in", [...campaigns])
      .where("delivery_id", "in", deliveries)
      .execute();
  },
};

/** Lists the reports about an address, the latest first. @param limit left out: all. */
export function listReports(read: Read, emailKey: string, limit?: number) {
  return read
    .selectFrom("bounces")
    .select(["id", "type", "permanent", "address", "reason", "happened_at", "received_at"])
    .where(sql<string>`lower(address)`, "=", emailKey)
    .orderBy("happened_at", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
}
