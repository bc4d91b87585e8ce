import { readInBatches } from "~/lib/read-in-batches";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Database, Read } from "~/db/database.server";
import type { DeliveriesTable, DeliveryState, CampaignState } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import { IS_DUE } from "~/services/queue/leases.server";
import { isPlanned } from "./schedule";
import type { Campaign } from "./campaigns.server";

/** selected = sent + failed + skipped + uncertain + pending, at every moment. */
export interface CampaignStats {
  readonly state: CampaignState;
  /** Why the campaign waits or was paused, in the mail server's words; empty when it does not. */
  readonly trouble: string;
  /** Frozen so far: final once the state is no longer `preparing`. */
  readonly selected: number;
  /** Selected and not skipped: the number of the question, less those who left or were skipped since. */
  readonly recipients: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  readonly uncertain: number;
  /** Not settled: never tried, waiting for a retry, or in flight. */
  readonly pending: number;
  readonly inFlight: number;
  readonly retrying: number;
  /** While nothing but retries is left: when the first of them is due. Epoch milliseconds. */
  readonly nextAttemptAt: number | undefined;
  readonly skippedByReason: Readonly<Record<string, number>>;
  /** Counted by the question and in the audience no more when it was copied, as after a deletion; 0 while it is copied. */
  readonly left: number;
  /** Among the sent. */
  readonly returned: ReturnedCounts;
}

export type Delivery = Pick<
  Selectable<DeliveriesTable>,
  "id" | "address" | "name" | "state" | "detail" | "attempts" | "not_before" | "updated_at"
> & { returned: Returned | undefined };

/** @throws when there is no such send. */
export async function getCampaignStats(read: Read, campaignId: string): Promise<CampaignStats> {
  const campaign = await read
    .selectFrom("campaigns")
    .select(["state", "trouble", "counted", "prepared_through", "audience_through"])
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
    pending: total("pending", "claimed", "retrying"),
  };
  const selected = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const retrying = total("retrying");
  const isCopied = campaign.prepared_through === campaign.audience_through;
  return {
    state: campaign.state,
    trouble: campaign.trouble,
    ...counts,
    selected,
    recipients: selected - counts.skipped,
    left: isCopied ? Math.max(0, campaign.counted - selected) : 0,
    inFlight: total("claimed"),
    retrying,
    nextAttemptAt:
      retrying > 0 && retrying === counts.pending ? await getNextAttempt(read, campaignId) : undefined,
    skippedByReason: Object.fromEntries(
      rows.filter((row) => row.state === "skipped").map((row) => [row.reason, row.count]),
    ),
    returned: await countReturned(read, campaignId),
  };
}

/** Returns the least time among what is due or will be, read from one end of the index `deliveries_due`. */
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

const LISTED = [
  "id",
  "state",
  "title",
  "audience",
  "trouble",
  "created_by",
  "confirmed_at",
  "resume_at",
  "waits_for",
  "when_missed",
  "latest_answers",
] as const;
export type ListedCampaign = Pick<Campaign, (typeof LISTED)[number]> & { hasBegun: boolean };

/** Confirmed campaigns, newest first, before the one with the given id. */
export async function latestCampaigns(read: Read, limit: number, before?: string): Promise<ListedCampaign[]> {
  let query = read.selectFrom("campaigns").select(LISTED).where("state", "!=", "draft");
  if (before && isUuid(before)) query = query.where("id", "<", before);
  const campaigns = await query.orderBy("id", "desc").limit(limit).execute();
  return campaigns.map((campaign) => {
    const isMoving = campaign.state === "preparing" || campaign.state === "sending";
    return { ...campaign, hasBegun: !(isMoving && isPlanned(campaign)) };
  });
}

/** What a list shows of a campaign's recipients. */
export interface ListedStats {
  readonly selected: number;
  readonly sent: number;
  readonly failed: number;
}

export const NO_STATS: ListedStats = { selected: 0, sent: 0, failed: 0 };

/** Returns the totals of these campaigns by their ids, in one query; without those that have no recipients yet. */
export async function getListedStats(read: Read, ids: readonly string[]): Promise<Map<string, ListedStats>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom("delivery_counts")
    .select(({ fn }) => ["campaign_id", "state", fn.sum<number>("count").as("count")])
    .where("campaign_id", "in", ids)
    .groupBy(["campaign_id", "state"])
    .execute();
  const stats = new Map<string, ListedStats>();
  for (const { campaign_id, state, count } of rows) {
    const known = stats.get(campaign_id) ?? NO_STATS;
    stats.set(campaign_id, {
      selected: known.selected + count,
      sent: known.sent + (state === "sent" ? count : 0),
      failed: known.failed + (state === "failed" ? count : 0),
    });
  }
  return stats;
}

export type Draft = Pick<Campaign, "id" | "title" | "audience" | "created_by" | "touched_at" | "touched_by">;

/** What is being written, by whomever, without what was discarded; the one that was saved last comes first. */
export function latestDrafts(read: Read, limit: number): Promise<Draft[]> {
  return read
    .selectFrom("campaigns")
    .select(["id", "title", "audience", "created_by", "touched_at", "touched_by"])
    .where("state", "=", "draft")
    .where("finished_at", "is", null)
    .orderBy("touched_at", "desc")
    .limit(limit)
    .execute();
}

const EVERY_STATE = ["pending", "claimed", "sent", "retrying", "failed", "skipped", "uncertain"] as const;

/** Which recipients of a campaign; without any bound, all of them. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
  /** What the detail begins with, as getFailureReasons returns it; of skipped ones the reason. */
  readonly reason?: string | undefined;
  /** What the address begins with, in lower case. */
  readonly prefix?: string | undefined;
}

/** So many deliveries that match, after the one with the given id. */
export type DeliveryPage = DeliveryFilter & { after?: string | undefined; limit: number };

/**
 * Characters of a detail that tell its reason: "550 5.1.1" of what mail servers say, the code of a skip. What follows often
 * names the address.
 */
const REASON_LENGTH = 10;
const toReason = (text: RawBuilder<string>) =>
  sql<string>`trim(substr(${text}, 1, ${sql.lit(REASON_LENGTH)}))`;
/** So many failed rows are grouped at most: 10 to 20 ms on SQLite, which answers nobody else meanwhile. */
const GROUPED = 10_000;
/** Comes after every address that begins like it, byte by byte. */
const LAST = "\u{10FFFF}";

export interface FailureReasons {
  readonly reasons: readonly {
    /** For DeliveryFilter. */
    readonly key: string;
    /** What one of them was told. */
    readonly sample: string;
    readonly count: number;
  }[];
  readonly counted: number;
  /** Whether more failed than were looked at. */
  readonly isPart: boolean;
}

/** Groups the failed recipients of a campaign by the beginning of what the mail server said, the most frequent first. */
export async function getFailureReasons(read: Read, campaignId: string): Promise<FailureReasons> {
  const rows = await read
    .selectFrom((db) =>
      db
        .selectFrom("deliveries")
        .select("detail")
        .where("campaign_id", "=", campaignId)
        .where("state", "=", "failed")
        .orderBy("id")
        .limit(GROUPED)
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
  return { reasons: rows.sort((a, b) => b.count - a.count), counted, isPart: counted === GROUPED };
}

/** An export reads so many rows at a time. */
const BATCH = 1000;

/** All rows that match, in the order of listDeliveries, as readInBatches does. */
export function deliveryBatches(
  database: Pick<Database, "read" | "dialect">,
  campaignId: string,
  filter: DeliveryFilter,
): AsyncGenerator<Delivery[]> {
  return readInBatches(BATCH, (last: Delivery | undefined) =>
    listDeliveries(database, campaignId, { ...filter, after: last?.id, limit: BATCH }),
  );
}

const DELIVERY_COLUMNS = [
  "id",
  "address",
  "name",
  "state",
  "detail",
  "attempts",
  "not_before",
  "updated_at",
] as const;

/**
 * The rows of a campaign after the one with the given id: as quick at the end as at the start. In the order of signup; those found
 * by the start of their address in the order of their addresses, which is that of the index they are found by on SQLite.
 */
export async function listDeliveries(
  database: Pick<Database, "read" | "dialect">,
  campaignId: string,
  page: DeliveryPage,
): Promise<Delivery[]> {
  const rows = await (page.prefix ? findByAddress : listInOrder)(database, campaignId, page);
  const ids = rows.map(({ id }) => id);
  const returned = await listReturned(database.read, campaignId, ids);
  return rows.map((row) => ({ ...row, returned: returned.get(row.id) }));
}

async function listInOrder({ read }: Pick<Database, "read">, campaignId: string, page: DeliveryPage) {
  const { state, reason, limit } = page;
  const after = page.after && isUuid(page.after) ? page.after : "";
  // The index is ordered by id within a state, so that all states together are merged from a piece of each.
  const pieces = await Promise.all(
    (state ? [state] : EVERY_STATE).map((each) =>
      read
        .selectFrom("deliveries")
        .select(DELIVERY_COLUMNS)
        .where("campaign_id", "=", campaignId)
        .where("state", "=", each)
        .where("id", ">", after)
        .$if(reason !== undefined, (query) => query.where(hasReason(reason)))
        .orderBy("id")
        .limit(limit)
        .execute(),
    ),
  );
  return pieces
    .flat()
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

async function findByAddress(
  { read, dialect }: Pick<Database, "read" | "dialect">,
  campaignId: string,
  { state, reason, prefix = "", after, limit }: DeliveryPage,
) {
  // By bytes, as SQLite compares; PostgreSQL goes by the database's language otherwise.
  const key = dialect === "postgres" ? sql<string>`email_key collate "C"` : sql<string>`email_key`;
  const last = after && isUuid(after) ? await findKey(read, campaignId, after) : undefined;
  return read
    .selectFrom("deliveries")
    .select(DELIVERY_COLUMNS)
    .where("campaign_id", "=", campaignId)
    .where(key, ">=", prefix)
    .where(key, "<", prefix + LAST)
    .$if(last !== undefined, (query) => query.where(key, ">", last ?? ""))
    .$if(state !== undefined, (query) => query.where("state", "=", state ?? "sent"))
    .$if(reason !== undefined, (query) => query.where(hasReason(reason)))
    .orderBy(key)
    .limit(limit)
    .execute();
}

async function findKey(read: Read, campaignId: string, id: string): Promise<string | undefined> {
  const row = await read
    .selectFrom("deliveries")
    .select("email_key")
    .where("campaign_id", "=", campaignId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.email_key;
}

function hasReason(reason = "") {
  return sql<boolean>`${toReason(sql.ref("detail"))} = ${toReason(sql`cast(${reason} as text)`)}`;
}

/** What was reported of mails after they were sent (services/bounces). No count of the books changes by it. */
export interface ReturnedCounts {
  /** Mails that bounced for good. */
  readonly bounced: number;
  /** Mails whose reader complained. */
  readonly complained: number;
}

/** Of one mail: what says most, and of those the latest. */
export interface Returned {
  readonly kind: "complained" | "bounced" | "delayed";
  readonly reason: string;
}

/** From the index alone. */
export async function countReturned(read: Read, campaignId: string): Promise<ReturnedCounts> {
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

/** What came back of these mails of a campaign, by their ids. */
export function listReturned(
  read: Read,
  campaignId: string,
  deliveryIds: readonly string[],
): Promise<Map<string, Returned>> {
  return returnedOfMails(
    read,
    deliveryIds.map((id) => ({ id, campaign_id: campaignId })),
  );
}

/** The same of mails of different campaigns. */
export async function returnedOfMails(
  read: Read,
  mails: readonly { readonly id: string; readonly campaign_id: string }[],
): Promise<Map<string, Returned>> {
  if (mails.length === 0) return new Map();
  const rows = await read
    .selectFrom("bounces")
    .select(["delivery_id", "type", "permanent", "reason"])
    .where("campaign_id", "in", [...new Set(mails.map((mail) => mail.campaign_id))])
    .where(
      "delivery_id",
      "in",
      mails.map((mail) => mail.id),
    )
    .orderBy("happened_at")
    .execute();
  const returned = new Map<string, Returned>();
  for (const { delivery_id, type, permanent, reason } of rows) {
    const kind = type === "complaint" ? "complained" : permanent === 1 ? "bounced" : "delayed";
    const known = returned.get(delivery_id ?? "");
    if (!known || WEIGHT[kind] >= WEIGHT[known.kind]) returned.set(delivery_id ?? "", { kind, reason });
  }
  return returned;
}

const WEIGHT = { delayed: 0, bounced: 1, complained: 2 } as const satisfies Record<Returned["kind"], number>;
