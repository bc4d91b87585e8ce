import type { Selectable } from "kysely";
import type { Read } from "~/db/database.server";
import type { DeliveriesTable, DeliveryState, SendState } from "~/db/tables";
import { isUuid } from "~/lib/uuid";
import type { Send } from "./sends.server";

/** selected = sent + failed + skipped + uncertain + pending, at every moment. */
export interface Book {
  readonly state: SendState;
  /** Why the send waits or was paused, in the mail server's words; empty when it does not. */
  readonly trouble: string;
  /** Frozen so far: final once the state is no longer `preparing`. */
  readonly selected: number;
  readonly sent: number;
  readonly failed: number;
  readonly skipped: number;
  readonly uncertain: number;
  /** Not settled: never tried, waiting for a retry, or in flight. */
  readonly pending: number;
  readonly inFlight: number;
  readonly retrying: number;
  readonly skippedByReason: Readonly<Record<string, number>>;
}

export type Delivery = Pick<
  Selectable<DeliveriesTable>,
  "id" | "address" | "name" | "state" | "detail" | "attempts" | "not_before" | "updated_at"
>;

/** @throws when there is no such send. */
export async function bookOf(read: Read, sendId: string): Promise<Book> {
  const send = await read
    .selectFrom("sends")
    .select(["state", "trouble"])
    .where("id", "=", sendId)
    .executeTakeFirstOrThrow();
  const ofSend = read.selectFrom("deliveries").where("send_id", "=", sendId);
  const rows = await ofSend
    .select(({ fn, val }) => ["state", val("").as("reason"), fn.countAll<number>().as("count")])
    .where("state", "!=", "skipped")
    .groupBy("state")
    .unionAll(
      ofSend
        .select(({ fn }) => ["state", "detail as reason", fn.countAll<number>().as("count")])
        .where("state", "=", "skipped")
        .groupBy(["state", "detail"]),
    )
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
  return {
    ...send,
    ...counts,
    selected: Object.values(counts).reduce((sum, count) => sum + count, 0),
    inFlight: total("claimed"),
    retrying: total("retrying"),
    skippedByReason: Object.fromEntries(
      rows.filter((row) => row.state === "skipped").map((row) => [row.reason, row.count]),
    ),
  };
}

export async function findSend(read: Read, id: string): Promise<Send | undefined> {
  if (!isUuid(id)) return undefined;
  return read.selectFrom("sends").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Confirmed sends, newest first. */
export function latestSends(read: Read, limit: number) {
  return read
    .selectFrom("sends")
    .select(["id", "state", "title", "audience", "trouble", "created_by", "confirmed_at", "finished_at"])
    .where("state", "!=", "draft")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

const EVERY_STATE = ["pending", "claimed", "sent", "retrying", "failed", "skipped", "uncertain"] as const;

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
  return pieces
    .flat()
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}
