import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { countUpTo, fetchIds, hasRows } from "~/db/rows";
import { replaceAddress } from "~/lib/email-address";
import { getWorstReports } from "./deliveries.server";
import { SENT_STATES } from "~/services/mail/delivery/delivery-result";
import { lockPreparing } from "~/services/outreach/campaigns.server";
import type { PersonData } from "~/services/people/person-data";
import { ERASED } from "~/services/suppressions/suppressions.server";

/**
 * The emails of campaigns to a person. Deliveries stay without the address, so that the totals add up; those not
 * sent count as skipped.
 */
export const deliveryPersonData: PersonData = {
  name: "emails",
  columns: {
    deliveries: ["address", "email_key", "name", "company", "role", "detail"],
    campaigns: ["test_address", "hold_detail"],
  },

  export: (read, emailKey) => listDeliveriesTo(read, emailKey),

  isSending: (read, emailKey) =>
    hasRows(selectDeliveriesTo(read, emailKey).where("deliveries.state", "=", "claimed")),

  async lock(trx, emailKey) {
    await lockPreparing(trx);
    const ids = await fetchIds(selectDeliveriesTo(trx, emailKey).select("deliveries.id"));
    if (ids.length === 0) return;
    await trx.selectFrom("deliveries").select("id").where("id", "in", ids).forUpdate().execute();
  },

  async erase(trx, emailKey, now) {
    const deliveries = await selectDeliveriesTo(trx, emailKey)
      .select(["deliveries.id", "campaign_id"])
      .execute();
    if (deliveries.length > 0) {
      await trx
        .updateTable("deliveries")
        .set({
          address: ERASED,
          name: "",
          company: "",
          role: "",
          email_key: sql<string>`'erased ' || id`,
          updated_at: now,
          // Responses of mail servers often name the address; the reason of a skipped delivery is our own.
          detail: sql<string>`case state when 'sent' then '' when 'skipped' then detail else ${ERASED} end`,
          state: sql<"sent" | "skipped">`case state when 'sent' then 'sent' else 'skipped' end`,
        })
        .where(
          "id",
          "in",
          deliveries.map(({ id }) => id),
        )
        .execute();
      const campaigns = new Set(deliveries.map((delivery) => delivery.campaign_id));
      await clearHoldDetail(trx, [...campaigns], emailKey);
    }
    await trx
      .updateTable("campaigns")
      .set({ test_address: "" })
      .where(sql<string>`lower(test_address)`, "=", emailKey)
      .execute();
  },
};

/** Clears the address from the detail of campaigns that wait: it quotes the mail server, which may name it. */
async function clearHoldDetail(trx: Write, campaigns: readonly string[], emailKey: string): Promise<void> {
  const waiting = await trx
    .selectFrom("campaigns")
    .select(["id", "hold_detail"])
    .where("id", "in", campaigns)
    .where("hold_detail", "!=", "")
    .execute();
  for (const { id, hold_detail } of waiting) {
    const cleared = replaceAddress(hold_detail, emailKey, ERASED);
    if (cleared === hold_detail) continue;
    await trx.updateTable("campaigns").set({ hold_detail: cleared }).where("id", "=", id).execute();
  }
}

/**
 * Selects the deliveries to an address. Looks the address up in each campaign, by the index of deliveries:
 * campaigns are few, and an index by address would make every delivery more expensive. SQLite executes a cross
 * join in the written order; otherwise it would read all deliveries.
 */
export function selectDeliveriesTo(read: Read, emailKey: string) {
  return read
    .selectFrom("campaigns")
    .crossJoin("deliveries")
    .whereRef("deliveries.campaign_id", "=", "campaigns.id")
    .where("deliveries.email_key", "=", emailKey);
}

/** Lists the deliveries to an address, of the latest campaign first. */
export async function listDeliveriesTo(read: Read, emailKey: string, limit?: number) {
  let query = selectDeliveriesTo(read, emailKey)
    .select(["deliveries.id", "campaign_id", "title", "deliveries.state", "detail", "attempts", "message_id"])
    .select(["address", "name", "company", "role", "updated_at"])
    .orderBy("campaigns.id", "desc");
  if (limit !== undefined) query = query.limit(limit);
  const rows = await query.execute();
  const reports = await getWorstReports(read, rows);
  return rows.map((row) => ({ ...row, returned: reports.get(row.id) }));
}

/** Counts the deliveries to an address, up to a limit. */
export const countDeliveriesTo = (read: Read, emailKey: string, limit: number): Promise<number> =>
  countUpTo(limit, read, selectDeliveriesTo(read, emailKey).select("deliveries.id"));

/** Counts those of them that were sent, or may have been. */
export const countSentTo = (read: Read, emailKey: string, limit: number): Promise<number> =>
  countUpTo(
    limit,
    read,
    selectDeliveriesTo(read, emailKey).select("deliveries.id").where("deliveries.state", "in", SENT_STATES),
  );
