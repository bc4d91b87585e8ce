import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import { selectDeliveriesTo } from "~/services/outreach/delivery-person-data.server";
import type { PersonData } from "~/services/people/person-data";
import { ERASED } from "~/services/suppressions/suppressions.server";

/** Reports about emails to a person. They stay under their hash, so that the same report, sent again, changes nothing. */
export const bouncePersonData: PersonData = {
  name: "reports",
  columns: { bounces: ["address", "reason"] },

  export: (read, emailKey) =>
    selectReports(read).where("id", "in", selectReportIds(read, emailKey)).execute(),

  async erase(trx, emailKey) {
    await trx
      .updateTable("bounces")
      .set({ address: ERASED, reason: "" })
      .where("id", "in", selectReportIds(trx, emailKey))
      .execute();
  },
};

/**
 * Selects the reports about an address and those about the campaigns' emails to it: a forwarded email bounces from
 * another address of theirs.
 */
function selectReportIds(read: Read, emailKey: string) {
  const ofEmails = selectDeliveriesTo(read, emailKey)
    .innerJoin("bounces", (join) =>
      join
        .onRef("bounces.campaign_id", "=", "deliveries.campaign_id")
        .onRef("bounces.delivery_id", "=", "deliveries.id"),
    )
    .select("bounces.id");
  return read
    .selectFrom("bounces")
    .select("id")
    .where(sql<string>`lower(address)`, "=", emailKey)
    .union(ofEmails);
}

const selectReports = (read: Read) =>
  read
    .selectFrom("bounces")
    .select(["id", "type", "permanent", "address", "reason", "happened_at", "received_at"])
    .orderBy("happened_at", "desc");

/** Lists the latest reports about an address. */
export const listReports = (read: Read, emailKey: string, limit: number) =>
  selectReports(read)
    .where(sql<string>`lower(address)`, "=", emailKey)
    .limit(limit)
    .execute();
