import { sql, type Selectable } from "kysely";
import type { Write } from "~/db/database.server";
import { fetchIds } from "~/db/rows";
import type { DeliveriesTable, DeliveryState } from "~/db/tables/outreach";
import { emailKey } from "~/lib/email-address";
import { SENT_STATES } from "~/services/mail/delivery/delivery-result";
import { selectDeliveriesTo } from "~/services/outreach/delivery-person-data.server";
import type { NewId } from "~/services/service-deps";
import type { Undo } from "./correction-undo.server";

/** Deliveries that are sent later, or may be by an operator's retry. */
const UNSENT = ["pending", "retrying", "failed"] as const;

/** Why a delivery is skipped: the person has one of this campaign at another address of theirs. */
const DUPLICATE = "duplicate";

interface Move {
  /** The address before, in lower case. */
  readonly from: string;
  /** The address now, as typed. */
  readonly to: string;
  /** Other addresses that the person had, in lower case. */
  readonly former: readonly string[];
  readonly newId: NewId;
  readonly now: number;
}

/**
 * Lets the emails of campaigns that were not sent follow a corrected address, so that none goes to the old one, and the
 * person gets none twice: of two deliveries of a campaign one is skipped. What was sent, or may have been, stays in history
 * under the old address.
 */
export async function moveDeliveries(
  trx: Write,
  { from, to, former, newId, now }: Move,
): Promise<Pick<Undo, "deliveries" | "placeholders">> {
  const all = await selectDeliveriesTo(trx, from)
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
  const key = emailKey(to);
  const sentBefore: { readonly campaign_id: string }[] = [];
  for (const address of former) {
    const sent = selectDeliveriesTo(trx, address).where("deliveries.state", "in", SENT_STATES);
    sentBefore.push(...(await sent.select("campaign_id").execute()));
  }
  const campaigns = new Set([...all, ...sentBefore].map((row) => row.campaign_id));
  const others =
    campaigns.size === 0
      ? []
      : await trx
          .selectFrom("deliveries")
          .select(["id", "campaign_id", "address", "email_key", "state", "detail"])
          .where("email_key", "=", key)
          .where("campaign_id", "in", [...campaigns])
          .forUpdate()
          .execute();
  const update = (set: object, rows: readonly { readonly id: string }[]) => {
    const ids = rows.map(({ id }) => id);
    return ids.length === 0
      ? undefined
      : trx.updateTable("deliveries").set(set).where("id", "in", ids).execute();
  };
  const unsent = all.filter(isUnsent);
  const isTaken = isInCampaignOf([...others, ...sentBefore]);
  // The person got it, or may have, at an old address.
  const repeated = others.filter(isUnsent).filter(isInCampaignOf([...all.filter(wasSent), ...sentBefore]));
  await update(
    { address: to, email_key: key },
    unsent.filter((row) => !isTaken(row)),
  );
  await update({ state: "skipped", detail: DUPLICATE }, [...unsent.filter(isTaken), ...repeated]);

  const settled = all.filter((row) => !isUnsent(row));
  const placeholders = await addPlaceholders(trx, settled, { to, newId, now });
  const deliveries = [...unsent, ...repeated].map(({ id, address, email_key, state, detail }) => ({
    id,
    address,
    email_key,
    state,
    detail,
  }));
  return { deliveries, placeholders };
}

const isUnsent = ({ state }: { readonly state: DeliveryState }) => UNSENT.some((each) => each === state);
const wasSent = ({ state }: { readonly state: DeliveryState }) => SENT_STATES.some((each) => each === state);

/** Returns a predicate for deliveries of the campaigns that these are of. */
function isInCampaignOf(rows: readonly { readonly campaign_id: string }[]) {
  const campaigns = new Set(rows.map((row) => row.campaign_id));
  return (row: { readonly campaign_id: string }) => campaigns.has(row.campaign_id);
}

type SettledDelivery = Pick<
  Selectable<DeliveriesTable>,
  "id" | "campaign_id" | "name" | "company" | "role" | "message_id"
>;

/**
 * Adds a skipped delivery at the new address to each campaign that still creates its deliveries: for another submission of
 * the person, who has a delivery already, it then creates none.
 */
async function addPlaceholders(
  trx: Write,
  settled: readonly SettledDelivery[],
  { to, newId, now }: Omit<Move, "from" | "former">,
): Promise<string[]> {
  if (settled.length === 0) return [];
  const unprepared = await trx
    .selectFrom("campaigns")
    .select("id")
    .where(
      "id",
      "in",
      settled.map((row) => row.campaign_id),
    )
    .where("state", "in", ["preparing", "sending", "paused"])
    .where(sql<boolean>`prepared_through < audience_through`)
    .execute();
  const open = new Set(unprepared.map(({ id }) => id));
  const rows = settled.filter((row) => open.has(row.campaign_id));
  if (rows.length === 0) return [];
  return fetchIds(
    trx
      .insertInto("deliveries")
      .values(
        rows.map(({ id: settledId, campaign_id, name, company, role, message_id }) => {
          const id = newId();
          return {
            id,
            campaign_id,
            address: to,
            email_key: emailKey(to),
            name,
            company,
            role,
            // The Message-ID of a delivery has its id.
            message_id: message_id.replace(settledId, id),
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

/** Undoes `moveDeliveries`. The caller has made sure that none was sent since. */
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
  const ids = deliveries.map(({ id }) => id);
  if (ids.length > 0) await reopenCampaigns(trx, ids);
}

/** Lets campaigns that finished meanwhile send deliveries that wait again; those of a cancelled one are skipped. */
async function reopenCampaigns(trx: Write, ids: readonly string[]): Promise<void> {
  const waiting = trx
    .selectFrom("deliveries")
    .select("campaign_id")
    .where("id", "in", ids)
    .where("state", "in", ["pending", "retrying"]);
  // Locked, so that none finishes before it can see what waits.
  const campaigns = await trx
    .selectFrom("campaigns")
    .select(["id", "state"])
    .where("id", "in", waiting)
    .orderBy("id")
    .forUpdate()
    .execute();
  for (const { id, state } of campaigns) {
    if (state === "finished") {
      await trx
        .updateTable("campaigns")
        .set({ state: "sending", finished_at: null })
        .where("id", "=", id)
        .execute();
    }
    if (state === "cancelled") {
      await trx
        .updateTable("deliveries")
        .set({ state: "skipped", detail: "cancelled" })
        .where("id", "in", ids)
        .where("campaign_id", "=", id)
        .where("state", "in", ["pending", "retrying"])
        .execute();
    }
  }
}
