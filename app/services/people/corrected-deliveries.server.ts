import { sql, type Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import type { DeliveriesTable } from "~/db/tables/outreach";
import { emailKey } from "~/lib/email-address";
import { selectDeliveries } from "~/services/outreach/delivery-person-data.server";
import type { NewId } from "~/services/service-deps";
import type { Undo } from "./correction-parts.server";

/** Deliveries that are sent later, or may be by an operator's retry. */
const UNSENT = ["pending", "retrying", "failed"] as const;

/** Why a delivery is skipped: the person got this campaign at another address of theirs. */
const DUPLICATE = "duplicate";

interface Addresses {
  /** The address before, in lower case. */
  readonly from: string;
  /** The address now, as typed. */
  readonly to: string;
  readonly newId: NewId;
  readonly now: number;
}

/**
 * Lets the emails of campaigns that were not sent follow a corrected address, so that none goes to the old one, and the
 * person gets none twice. What was sent, or may have been, stays in history under the old address.
 */
export async function moveDeliveries(
  trx: Write,
  { from, to, newId, now }: Addresses,
): Promise<Pick<Undo, "deliveries" | "placeholders">> {
  const all = await selectDeliveries(trx, from)
    .select([
      "deliveries.id",
      "campaign_id",
      "address",
      "email_key",
      "deliveries.state",
      "detail",
      "name",
      "company",
      "role",
      "message_id",
    ])
    .execute();
  const unsent = all.filter(({ state }) => UNSENT.some((each) => each === state));
  const key = emailKey(to);
  const taken = new Set(
    unsent.length === 0
      ? []
      : (
          await trx
            .selectFrom("deliveries")
            .select("campaign_id")
            .where("email_key", "=", key)
            .where("campaign_id", "in", [...new Set(unsent.map((row) => row.campaign_id))])
            .execute()
        ).map((row) => row.campaign_id),
  );
  const update = (set: object, ids: readonly string[]) =>
    ids.length === 0 ? undefined : trx.updateTable("deliveries").set(set).where("id", "in", ids).execute();
  const toIds = (rows: typeof all) => rows.map(({ id }) => id);
  const isTaken = (row: (typeof all)[number]) => taken.has(row.campaign_id);
  await update({ address: to, email_key: key }, toIds(unsent.filter((row) => !isTaken(row))));
  await update({ state: "skipped", detail: DUPLICATE }, toIds(unsent.filter(isTaken)));

  const sent = all.filter((row) => !unsent.includes(row));
  const placeholders = await addPlaceholders(trx, sent, { to, newId, now });
  const deliveries = unsent.map(({ id, address, email_key, state, detail }) => ({
    id,
    address,
    email_key,
    state,
    detail,
  }));
  return { deliveries, placeholders };
}

type SentDelivery = Pick<
  Selectable<DeliveriesTable>,
  "id" | "campaign_id" | "name" | "company" | "role" | "message_id"
>;

/** Adds skipped deliveries where a campaign may still reach another submission of the person: it was sent to them. */
async function addPlaceholders(
  trx: Write,
  sent: readonly SentDelivery[],
  { to, newId, now }: Omit<Addresses, "from">,
): Promise<string[]> {
  if (sent.length === 0) return [];
  const unprepared = await trx
    .selectFrom("campaigns")
    .select("id")
    .where(
      "id",
      "in",
      sent.map((row) => row.campaign_id),
    )
    .where("state", "in", ["preparing", "sending", "paused"])
    .where(sql<boolean>`prepared_through < audience_through`)
    .execute();
  const open = new Set(unprepared.map(({ id }) => id));
  const rows = sent.filter((row) => open.has(row.campaign_id));
  if (rows.length === 0) return [];
  return fetchIds(
    trx
      .insertInto("deliveries")
      .values(
        rows.map(({ id: sentId, campaign_id, name, company, role, message_id }) => {
          const id = newId();
          return {
            id,
            campaign_id,
            address: to,
            email_key: emailKey(to),
            name,
            company,
            role,
            message_id: message_id.replace(sentId, id),
            state: "skipped" as const,
            detail: DUPLICATE,
            not_before: 0,
            lease_owner: "",
            lease_until: 0,
            updated_at: now,
          };
        }),
      )
      .onConflict((conflict) => conflict.columns(["campaign_id", "email_key"]).doNothing())
      .returning("id"),
  );
}

/** Undoes `moveDeliveries`, as long as none was sent since. */
export async function restoreDeliveries(
  trx: Write,
  { deliveries, placeholders }: Pick<Undo, "deliveries" | "placeholders">,
): Promise<void> {
  if (placeholders.length > 0) {
    await trx.deleteFrom("deliveries").where("id", "in", placeholders).execute();
  }
  for (const { id, address, email_key, state, detail } of deliveries) {
    await trx.updateTable("deliveries").set({ address, email_key }).where("id", "=", id).execute();
    await trx
      .updateTable("deliveries")
      .set({ state, detail })
      .where("id", "=", id)
      .where("state", "=", "skipped")
      .where("detail", "=", DUPLICATE)
      .execute();
  }
}
