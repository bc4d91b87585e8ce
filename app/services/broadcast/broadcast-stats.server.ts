import { sql } from "kysely";
import { readInBatches } from "~/lib/read-in-batches";
import type { Read } from "~/db/database.server";
import { fetchPage } from "~/db/rows";
import type { PushState } from "~/db/tables/broadcast";
import { toKnownPage, type ListPage } from "~/lib/list-page";
import { isUuid } from "~/lib/uuid";
import {
  mergeStates,
  NO_STATS,
  toListedStats,
  toStates,
  type ListedStats,
  type StateFilter,
} from "~/services/queue/delivery-stats.server";
import type { Broadcast } from "./broadcast-state.server";
import { findPart } from "./platform-part.server";

/**
 * Counts the deliveries of a broadcast by state, from an index alone:
 * devices = sent + failed + gone + skipped + waiting, at every moment.
 */
export async function getBroadcastStats(read: Read, broadcastId: string) {
  const platform = await findPart(read, broadcastId);
  const rows = await read
    .selectFrom("pushes")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("broadcast_id", "=", broadcastId)
    .groupBy("state")
    .execute();
  const total = (...states: PushState[]) =>
    rows.reduce((sum, { state, count }) => (states.includes(state) ? sum + count : sum), 0);
  return {
    /** Deliveries created so far: final once the state is past `preparing`. */
    devices: rows.reduce((sum, { count }) => sum + count, 0),
    /** Accepted by their push service. */
    sent: total("accepted"),
    failed: total("failed"),
    /** Devices their push service reported as gone. */
    gone: total("gone"),
    skipped: total("skipped"),
    /** Not settled: not attempted, waiting for a retry, or in flight. */
    waiting: total("pending", "claimed", "retrying"),
    retrying: total("retrying"),
    /** The part of the application's backend, if it has one. The counts above exclude its devices. */
    platform,
  };
}

export async function findBroadcast(read: Read, id: string): Promise<Broadcast | undefined> {
  if (!isUuid(id)) return undefined;
  return read.selectFrom("broadcasts").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Lists confirmed broadcasts, the last confirmed first: a draft may have waited for days. */
export function listLatestBroadcasts(read: Read, page: ListPage) {
  const confirmed = read
    .selectFrom("broadcasts")
    .select(["id", "state", "title", "audience", "tenant_name", "created_by", "confirmed_at", "hold_detail"])
    .where("state", "!=", "draft");
  return fetchPage(confirmed, page, { key: sql<number>`confirmed_at` });
}

/** Returns when a broadcast to the landing page's visitors, or to all, was last confirmed. */
export async function getLastToLanding(read: Read): Promise<number | undefined> {
  const { at } = await read
    .selectFrom("broadcasts")
    .select(({ fn }) => fn.max("confirmed_at").as("at"))
    .where("audience", "in", ["landing", "all"])
    .executeTakeFirstOrThrow();
  return at ?? undefined;
}

/**
 * Returns the totals of these broadcasts by their ids, with what the application's backend sent: from the index
 * `pushes_by_state` alone, and its parts.
 */
export async function getListedStats(read: Read, ids: readonly string[]): Promise<Map<string, ListedStats>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom("pushes")
    .select(({ fn }) => ["broadcast_id as id", "state", fn.countAll<number>().as("count")])
    .where("broadcast_id", "in", ids)
    .groupBy(["broadcast_id", "state"])
    .execute();
  const parts = await read
    .selectFrom("platform_broadcasts")
    .select(["id", "state", "success_count", "failure_count"])
    .where("id", "in", ids)
    .execute();
  const counts = parts.flatMap(({ id, success_count, failure_count }) => [
    { id, state: "accepted", count: success_count },
    { id, state: "failed", count: failure_count },
  ]);
  const stats = toListedStats([...rows, ...counts]);
  for (const { id, state } of parts) {
    const lacksPart = state === "failed" || state === "uncertain";
    stats.set(id, { ...(stats.get(id) ?? NO_STATS), lacksPart });
  }
  return stats;
}

export type PushRow = Awaited<ReturnType<typeof listPushes>>[number];

/** A page of deliveries, bounded by the id of a device. */
export interface PushPage extends ListPage {
  /** Left out: all states. */
  readonly state?: PushFilter | undefined;
}

export type PushFilter = StateFilter<PushState>;

/** All states of a push message. */
const PUSH_STATES: readonly PushState[] = [
  "pending",
  "claimed",
  "retrying",
  "accepted",
  "failed",
  "gone",
  "skipped",
];

/** What a list of push messages can be filtered by. */
export const PUSH_FILTERS: readonly PushFilter[] = [...PUSH_STATES, "waiting"];

/** Lists a page of deliveries in the order of registration, in constant time. */
export function listPushes(read: Read, broadcastId: string, page: PushPage) {
  const { state } = page;
  const { before, after, limit } = toKnownPage(page);
  const toPushId = (device: string | undefined) => device && `${broadcastId}.${device}`;
  const pushes = { before: toPushId(before), after: toPushId(after), limit };
  return mergeStates(read, toStates(state, PUSH_STATES), pushes, (each) =>
    read
      .selectFrom("pushes")
      .select(["id", "device_id", "service", "state", "detail", "attempts", "updated_at"])
      .where("broadcast_id", "=", broadcastId)
      .where("state", "=", each),
  );
}

const EXPORT_BATCH_SIZE = 1000;

/** Reads all deliveries, or those in one state; see readInBatches. */
export function readPushBatches(read: Read, broadcastId: string, state: PushFilter | undefined) {
  return readInBatches(EXPORT_BATCH_SIZE, (last: PushRow | undefined) =>
    listPushes(read, broadcastId, { state, after: last?.device_id, limit: EXPORT_BATCH_SIZE }),
  );
}

/** Limits the deliveries of a state that are grouped. */
const MAX_GROUPED_ROWS = 10_000;
const MAX_CAUSES = 6;

/**
 * Groups failed deliveries by the push service's reply, most frequent first.
 * @returns `onlyFirst`: the number of a state's deliveries that were grouped, when a state may have more.
 */
export async function getFailureCauses(read: Read, broadcastId: string) {
  const byState = await Promise.all(
    (["failed", "gone"] as const).map(async (state) => {
      const rows = await read
        .selectFrom((db) =>
          db
            .selectFrom("pushes")
            .select("detail")
            .where("broadcast_id", "=", broadcastId)
            .where("state", "=", state)
            .orderBy("id")
            .limit(MAX_GROUPED_ROWS)
            .as("some"),
        )
        .select(({ fn }) => ["detail", fn.countAll<number>().as("count")])
        .groupBy("detail")
        .execute();
      return { state, rows, counted: rows.reduce((sum, { count }) => sum + count, 0) };
    }),
  );
  return {
    causes: byState
      .flatMap(({ state, rows }) => rows.map((row) => ({ ...row, state })))
      .sort((one, other) => other.count - one.count)
      .slice(0, MAX_CAUSES),
    onlyFirst: byState.some(({ counted }) => counted === MAX_GROUPED_ROWS) ? MAX_GROUPED_ROWS : undefined,
  };
}
