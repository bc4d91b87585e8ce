import { readInBatches } from "~/lib/read-in-batches";
import { sql, type Expression, type RawBuilder } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { fetchPage } from "~/db/rows";
import type { Campaign, DeliveryState } from "~/db/tables/outreach";
import { toKnownPage, type ListPage } from "~/lib/list-page";
import { isUuid } from "~/lib/uuid";
import {
  mergeStates,
  toListedStats,
  toStates,
  type ListedStats,
  type StateFilter,
} from "~/services/queue/delivery-stats.server";
import { IS_DUE } from "~/services/queue/leases.server";
import { DELIVERY_STATES } from "~/services/mail/delivery/delivery-result";
import { ERASED } from "~/services/suppressions/suppressions.server";
import { LAST_CONFIRMED_FIRST, type CampaignSort } from "./campaign-sorts";
import { waitsForStart } from "./schedule";

/** selected = sent + failed + skipped + uncertain + pending, at every moment. */
export type CampaignStats = Awaited<ReturnType<typeof getCampaignStats>>;

/** @throws when there is no such campaign. */
export async function getCampaignStats(read: Read, campaignId: string) {
  const campaign = await read
    .selectFrom("campaigns")
    .select(["state", "hold_detail", "counted", "prepared_through", "audience_through"])
    .where("id", "=", campaignId)
    .executeTakeFirstOrThrow();
  const rows = await read
    .selectFrom("delivery_counts")
    .select(({ fn }) => ["state", "reason", fn.sum<number>("count").as("count")])
    .where("campaign_id", "=", campaignId)
    .groupBy(["state", "reason"])
    .having(({ fn }) => fn.sum("count"), ">", 0)
    .execute();

  const total = (...states: DeliveryState[]) =>
    rows.reduce((sum, row) => (states.includes(row.state) ? sum + row.count : sum), 0);
  const counts = {
    sent: total("sent"),
    failed: total("failed"),
    skipped: total("skipped"),
    uncertain: total("uncertain"),
    /** Not settled: not attempted, waiting for a retry, or in flight. */
    pending: total("pending", "claimed", "retrying"),
  };
  const selected = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const retrying = total("retrying");
  const isPrepared = campaign.prepared_through === campaign.audience_through;
  return {
    state: campaign.state,
    /** The mail server's reply that made the campaign wait or pause; empty otherwise. */
    holdDetail: campaign.hold_detail,
    ...counts,
    /** Deliveries created so far: final once the state is past `preparing`. */
    selected,
    /** Selected and not skipped: the reviewed number, less those removed or skipped since. */
    recipients: selected - counts.skipped,
    /** Addresses that the review counted and the preparation no longer found, as after a deletion; 0 until it has ended. */
    left: isPrepared ? Math.max(0, campaign.counted - selected) : 0,
    inFlight: total("claimed"),
    retrying,
    /** When the first retry is due, in epoch milliseconds, if only retries are pending. */
    nextAttemptAt:
      retrying > 0 && retrying === counts.pending ? await getNextAttempt(read, campaignId) : undefined,
    skippedByReason: Object.fromEntries(
      rows.filter((row) => row.state === "skipped").map((row) => [row.reason, row.count]),
    ),
    /** Subsets of `sent`: permanent bounces and complaints reported after the emails were sent (services/bounces). */
    returned: await countReturned(read, campaignId),
  };
}

/** Returns when the next delivery is due, read from one end of the index `deliveries_due`. */
async function getNextAttempt(read: Read, campaignId: string): Promise<number | undefined> {
  const row = await read
    .selectFrom("deliveries")
    .select("not_before")
    .where("campaign_id", "=", campaignId)
    .where(IS_DUE)
    .orderBy("not_before")
    .limit(1)
    .executeTakeFirst();
  return row?.not_before;
}

export async function findCampaign(read: Read, id: string): Promise<Campaign | undefined> {
  if (!isUuid(id)) return undefined;
  return read.selectFrom("campaigns").selectAll().where("id", "=", id).executeTakeFirst();
}

/** As in the indexes. */
const KEYS: Record<CampaignSort, Expression<string | number>> = {
  confirmed: sql.ref<number>("confirmed_at"),
  title: sql<string>`lower(title)`,
};

/** Lists confirmed campaigns, the last confirmed first unless another order is given. */
export async function listCampaigns(read: Read, page: ListPage, order = LAST_CONFIRMED_FIRST) {
  const confirmed = read
    .selectFrom("campaigns")
    .select(["id", "state", "title", "audience", "narrowing", "wave", "created_by", "confirmed_at"])
    .select(["hold", "hold_until", "hold_detail", "when_missed", "latest_answers"])
    // Literal, not bound: SQLite uses the partial indexes only then.
    .where(sql<boolean>`state <> 'draft'`);
  const campaigns = await fetchPage(confirmed, page, { key: KEYS[order.sort], direction: order.direction });
  return campaigns.map((campaign) => ({
    ...campaign,
    isScheduled: waitsForStart(campaign),
  }));
}

/**
 * Lists the titles of the latest confirmed campaigns, newest first, to choose from.
 * @param chosen id of a campaign that is listed in any case.
 */
export async function listCampaignTitles(
  read: Read,
  limit: number,
  chosen?: string,
): Promise<{ id: string; title: string }[]> {
  const latest = await listCampaigns(read, { limit });
  const titles = latest.map(({ id, title }) => ({ id, title }));
  const missing = chosen !== undefined && !titles.some(({ id }) => id === chosen);
  const campaign = missing ? await findCampaign(read, chosen) : undefined;
  return campaign ? [...titles, { id: campaign.id, title: campaign.title }] : titles;
}

/** Returns the totals of these campaigns by their ids, in one query; without those that have no recipients yet. */
export async function getListedStats(read: Read, ids: readonly string[]): Promise<Map<string, ListedStats>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom("delivery_counts")
    .select(({ fn }) => ["campaign_id as id", "state", fn.sum<number>("count").as("count")])
    .where("campaign_id", "in", ids)
    .groupBy(["campaign_id", "state"])
    .execute();
  return toListedStats(rows);
}

export type Draft = Awaited<ReturnType<typeof listDrafts>>[number];

/** Lists every operator's drafts except discarded ones, last saved first. */
export function listDrafts(read: Read, page: ListPage) {
  const drafts = read
    .selectFrom("campaigns")
    .select(["id", "title", "audience", "narrowing", "created_by", "touched_at", "touched_by"])
    .where("state", "=", "draft")
    .where("finished_at", "is", null);
  return fetchPage(drafts, page, { key: sql.ref<number>("touched_at") });
}

/** Selects deliveries of a campaign; an empty filter selects all. */
export interface DeliveryFilter {
  readonly state?: StateFilter<DeliveryState> | undefined;
  /** Prefix of the detail, as getFailureReasons returns it; for skipped deliveries the skip reason. */
  readonly reason?: string | undefined;
  /** Prefix of the address, in lower case. */
  readonly prefix?: string | undefined;
}

export type DeliveryPage = DeliveryFilter & ListPage;

/**
 * Characters of a detail that identify its reason: a mail server's "550 5.1.1", or a skip reason. The rest
 * often contains the address.
 */
const REASON_LENGTH = 10;
const toReason = (text: RawBuilder<string>) =>
  sql<string>`trim(substr(${text}, 1, ${sql.lit(REASON_LENGTH)}))`;
/** Limits the failed rows that are grouped: 2 ms on SQLite, which blocks the event loop meanwhile. */
const MAX_GROUPED_ROWS = 10_000;
/** Sorts after every continuation of a prefix in byte order. */
const LAST_CODE_POINT = "\u{10FFFF}";

/**
 * Groups the failed deliveries of a campaign by the start of the mail server's reply, most frequent first.
 * @returns a `key` for DeliveryFilter.reason, the full detail of one delivery and the count of each group;
 * `isPartial` when the grouping stopped at its row limit.
 */
export async function getFailureReasons(read: Read, campaignId: string) {
  const rows = await read
    .selectFrom((db) =>
      db
        .selectFrom("deliveries")
        .select("detail")
        .where("campaign_id", "=", campaignId)
        // Literal, not bound: SQLite uses the index of failed rows only then.
        .where(sql<boolean>`state = 'failed'`)
        .orderBy("id")
        .limit(MAX_GROUPED_ROWS)
        .as("failed"),
    )
    .select(({ fn, ref }) => [
      toReason(sql`${ref("detail")}`).as("key"),
      fn.min<string>("detail").as("sample"),
      fn.countAll<number>().as("count"),
    ])
    .groupBy("key")
    .execute();
  const counted = rows.reduce((sum, { count }) => sum + count, 0);
  return {
    reasons: rows.sort((a, b) => b.count - a.count),
    counted,
    isPartial: counted === MAX_GROUPED_ROWS,
  };
}

const EXPORT_BATCH_SIZE = 1000;

/** Reads all matching deliveries in the order of listDeliveries; see readInBatches. */
export function readDeliveryBatches(database: Database, campaignId: string, filter: DeliveryFilter) {
  return readInBatches(EXPORT_BATCH_SIZE, (last: Delivery | undefined) =>
    listDeliveries(database, campaignId, {
      ...filter,
      after: last?.id,
      boundKey: last?.email_key,
      limit: EXPORT_BATCH_SIZE,
    }),
  );
}

export type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number];

/**
 * Lists a page of deliveries by keyset, in constant time per page. They are in the order of signup, or with a
 * prefix in the order of their addresses, which is the order of the index SQLite uses for it.
 */
export async function listDeliveries(database: Database, campaignId: string, page: DeliveryPage) {
  const rows = await (page.prefix ? findByAddress : listInOrder)(database, campaignId, page);
  const deliveries = rows.map(({ id }) => ({ id, campaign_id: campaignId }));
  const returned = await listReturnedDeliveries(database.read, deliveries);
  return rows.map((row) => ({ ...row, returned: returned.get(row.id) }));
}

function listInOrder({ read }: Database, campaignId: string, page: DeliveryPage) {
  const { state, reason } = page;
  const known = toKnownPage(page);
  return mergeStates(read, toStates(state, DELIVERY_STATES), known, (each) =>
    selectDeliveries(read, campaignId, reason).where("state", "=", each),
  );
}

async function findByAddress({ read, dialect }: Database, campaignId: string, page: DeliveryPage) {
  const { state, reason, prefix = "" } = page;
  // Compares bytes, as SQLite does; PostgreSQL would otherwise use the database's collation.
  const key = dialect === "postgres" ? sql<string>`email_key collate "C"` : sql<string>`email_key`;
  const found = selectDeliveries(read, campaignId, reason)
    .where(key, ">=", prefix)
    .where(key, "<", prefix + LAST_CODE_POINT);
  const inState = state ? found.where("state", "in", toStates(state, DELIVERY_STATES)) : found;
  return fetchPage(inState, page, { key, direction: "asc" });
}

function selectDeliveries(read: Read, campaignId: string, reason: string | undefined) {
  const deliveries = read
    .selectFrom("deliveries")
    .select(["id", "address", "email_key", "name", "state", "detail", "attempts", "not_before", "updated_at"])
    .where("campaign_id", "=", campaignId);
  if (reason === undefined) return deliveries;
  const isReason = sql<boolean>`${toReason(sql.ref("detail"))} = ${toReason(sql`cast(${reason} as text)`)}`;
  return deliveries.where(isReason);
}

/**
 * Finds the first recipient of a confirmed campaign who is not erased: a skipped one where all are; undefined while there
 * is none.
 */
export async function findFirstRecipient(read: Read, campaignId: string) {
  return (
    (await findFirst(DELIVERY_STATES.filter((state) => state !== "skipped"))) ??
    (await findFirst(["skipped"]))
  );

  async function findFirst(states: readonly DeliveryState[]) {
    const [first] = await mergeStates(read, states, { limit: 1 }, (state) =>
      read
        .selectFrom("deliveries")
        .select(["id", "address as email", "name", "company", "role"])
        .where("campaign_id", "=", campaignId)
        .where("state", "=", state)
        .where("address", "!=", ERASED),
    );
    return first;
  }
}

/** The most severe report about one email; among equals the latest. */
export interface Returned {
  readonly kind: "complained" | "bounced" | "delayed";
  readonly reason: string;
}

/** Counts bounces and complaints of a campaign from an index alone. */
async function countReturned(read: Read, campaignId: string) {
  const rows = await read
    .selectFrom("bounces")
    .select(({ fn }) => ["type", fn.count<number>("delivery_id").distinct().as("count")])
    .where("campaign_id", "=", campaignId)
    .where("permanent", "=", 1)
    .groupBy("type")
    .execute();
  const count = (type: string) => rows.find((row) => row.type === type)?.count ?? 0;
  return { bounced: count("bounce"), complained: count("complaint") };
}

/** Returns the reports about these deliveries by delivery id. */
export async function listReturnedDeliveries(
  read: Read,
  deliveries: readonly { readonly id: string; readonly campaign_id: string }[],
): Promise<Map<string, Returned>> {
  if (deliveries.length === 0) return new Map();
  const ids = deliveries.map(({ id }) => id);
  const campaignIds = new Set(deliveries.map(({ campaign_id }) => campaign_id));
  const rows = await read
    .selectFrom("bounces")
    .select(["delivery_id", "type", "permanent", "reason"])
    .where("campaign_id", "in", [...campaignIds])
    .where("delivery_id", "in", ids)
    // The last report of a delivery is the one that stays. A complaint is always permanent.
    .orderBy("permanent")
    .orderBy("type")
    .orderBy("happened_at")
    .execute();
  return new Map(
    rows.map(({ delivery_id, type, permanent, reason }) => {
      const kind = type === "complaint" ? "complained" : permanent === 1 ? "bounced" : "delayed";
      return [delivery_id ?? "", { kind, reason }];
    }),
  );
}
