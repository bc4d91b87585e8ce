import { sql, type RawBuilder } from "kysely";
import type { Database, Read } from "~/db/database.server";
import { fetchPage } from "~/db/rows";
import type { DeliveryState } from "~/db/tables/outreach";
import { toKnownPage, type ListPage } from "~/lib/list-page";
import { readInBatches } from "~/lib/read-in-batches";
import { DELIVERY_STATES } from "~/services/mail/delivery/delivery-result";
import { mergeStates, toStates, type StateFilter } from "~/services/queue/delivery-stats.server";
import { ERASED } from "~/services/suppressions/suppressions.server";

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
      // The place in the order of addresses, which a prefix has.
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
  const reports = await getWorstReports(database.read, deliveries);
  return rows.map((row) => ({ ...row, returned: reports.get(row.id) }));
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
 * Finds the first recipient of a confirmed campaign who is not erased: the first who was not skipped, else the first who was;
 * undefined while there is none.
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
export interface DeliveryReport {
  readonly kind: "complained" | "bounced" | "delayed";
  readonly reason: string;
}

/** Returns the most severe report about each of these deliveries by delivery id. */
export async function getWorstReports(
  read: Read,
  deliveries: readonly { readonly id: string; readonly campaign_id: string }[],
): Promise<Map<string, DeliveryReport>> {
  if (deliveries.length === 0) return new Map();
  const ids = deliveries.map(({ id }) => id);
  const campaignIds = new Set(deliveries.map(({ campaign_id }) => campaign_id));
  const rows = await read
    .selectFrom("bounces")
    .select(["delivery_id", "type", "permanent", "reason"])
    .where("campaign_id", "in", [...campaignIds])
    .where("delivery_id", "in", ids)
    // The map keeps the last row of a delivery: permanent after temporary, a complaint (always permanent) after a bounce.
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
