import type { Selectable } from "kysely";
import type { Read } from "~/db/database.server";
import type { DeliveriesTable, DeliveryState, SendState } from "~/db/tables/outreach";
import { isUuid } from "~/lib/uuid";
import { isPlanned } from "./plan";
import { returnedAmong, returnedOf } from "./returned.server";
import type { Returned, ReturnedCounts } from "./returned.server";
import type { Send } from "./sends.server";

/** selected = sent + failed + skipped + uncertain + pending, at every moment. */
export interface Book {
  readonly state: SendState;
  /** Why the send waits or was paused, in the mail server's words; empty when it does not. */
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
export async function bookOf(read: Read, sendId: string): Promise<Book> {
  const send = await read
    .selectFrom("sends")
    .select(["state", "trouble", "counted", "prepared_through", "audience_through"])
    .where("id", "=", sendId)
    .executeTakeFirstOrThrow();
  const rows = await read
    .selectFrom("delivery_counts")
    .select(({ fn }) => ["state", "reason", fn.sum<number>("count").as("count")])
    .where("send_id", "=", sendId)
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
  const isCopied = send.prepared_through === send.audience_through;
  return {
    state: send.state,
    trouble: send.trouble,
    ...counts,
    selected,
    recipients: selected - counts.skipped,
    left: isCopied ? Math.max(0, send.counted - selected) : 0,
    inFlight: total("claimed"),
    retrying: total("retrying"),
    skippedByReason: Object.fromEntries(
      rows.filter((row) => row.state === "skipped").map((row) => [row.reason, row.count]),
    ),
    returned: await returnedOf(read, sendId),
  };
}

export async function findSend(read: Read, id: string): Promise<Send | undefined> {
  if (!isUuid(id)) return undefined;
  return read.selectFrom("sends").selectAll().where("id", "=", id).executeTakeFirst();
}

const LISTED = ["id", "state", "title", "audience", "trouble", "created_by", "confirmed_at"] as const;
export type ListedSend = Pick<Send, (typeof LISTED)[number]> & { hasBegun: boolean };

/** Confirmed sends, newest first, before the one with the given id. */
export async function latestSends(read: Read, limit: number, before?: string): Promise<ListedSend[]> {
  let query = read.selectFrom("sends").select(LISTED).select("waits_for").where("state", "!=", "draft");
  if (before && isUuid(before)) query = query.where("id", "<", before);
  const sends = await query.orderBy("id", "desc").limit(limit).execute();
  return sends.map(({ waits_for, ...send }) => {
    const isMoving = send.state === "preparing" || send.state === "sending";
    return { ...send, hasBegun: !(isMoving && isPlanned({ waits_for })) };
  });
}

export type Draft = Pick<Send, "id" | "title" | "audience" | "created_by" | "touched_at">;

/** What is being written, by whomever; the one that was saved last comes first. */
export function latestDrafts(read: Read, limit: number): Promise<Draft[]> {
  return read
    .selectFrom("sends")
    .select(["id", "title", "audience", "created_by", "touched_at"])
    .where("state", "=", "draft")
    .orderBy("touched_at", "desc")
    .limit(limit)
    .execute();
}

const EVERY_STATE = ["pending", "claimed", "sent", "retrying", "failed", "skipped", "uncertain"] as const;

/** An export reads so many rows at a time. */
const BATCH = 1000;

/** All rows of a send in the order of signup: one batch is held at a time, and none is read before it is asked for. */
export async function* deliveryBatches(
  read: Read,
  sendId: string,
  state: DeliveryState | undefined,
): AsyncGenerator<Delivery[]> {
  for (let after: string | undefined; ;) {
    const rows = await listDeliveries(read, sendId, { state, after, limit: BATCH });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id;
  }
}

/** The rows of a send in the order of signup, after the one with the given id: as quick at the end as at the start. */
export async function listDeliveries(
  read: Read,
  sendId: string,
  page: { state?: DeliveryState | undefined; after?: string | undefined; limit: number },
): Promise<Delivery[]> {
  const { state, limit } = page;
  const after = page.after && isUuid(page.after) ? page.after : "";
  // The index is ordered by id within a state, so that all states together are merged from a piece of each.
  const pieces = await Promise.all(
    (state ? [state] : EVERY_STATE).map((each) =>
      read
        .selectFrom("deliveries")
        .select(["id", "address", "name", "state", "detail", "attempts", "not_before", "updated_at"])
        .where("send_id", "=", sendId)
        .where("state", "=", each)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit)
        .execute(),
    ),
  );
  const rows = pieces
    .flat()
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
  const ids = rows.map(({ id }) => id);
  const returned = await returnedAmong(read, sendId, ids);
  return rows.map((row) => ({ ...row, returned: returned.get(row.id) }));
}
