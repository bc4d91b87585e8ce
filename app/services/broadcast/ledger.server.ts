import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { BroadcastsTable, PushesTable } from "~/db/tables/broadcast";
import { isUuid } from "~/lib/uuid";
import { IS_DUE, orphaned, take, unseenText } from "~/services/outreach/leases.server";
import type { Dialect, Holder, Taken } from "~/services/outreach/leases.server";
import { hasOpenPart } from "./platform-part.server";

/** The ledger of broadcasts as a queue of push messages: outreach/leases.server says what a claim is. */

const COLUMNS = ["id", "broadcast_id", "device_id", "service", "detail", "attempts", "not_before"] as const;
export type Claimed = Taken<PushesTable, (typeof COLUMNS)[number]>;
/**
 * Every device is tried once before one is tried again, so that those that never answer cannot take the places of the rest
 * (hardening C39).
 */
const LEDGER = { queue: "pushes", columns: COLUMNS, first: "first-tries" } as const;

export type Broadcast = Selectable<BroadcastsTable>;
export type OpenBroadcast = Pick<
  Broadcast,
  | ("id" | "state" | "audience" | "tenant_id")
  | ("prepared_through" | "audience_through" | "answers" | "refusals")
>;

/**
 * Claims up to `limit` due rows of a broadcast: first tries, of long-known devices before others (see freezeChunk), in the
 * order of registration; then retries.
 */
export function claim(
  trx: Write,
  by: Holder,
  { broadcastId, limit, now }: { broadcastId: string; limit: number; now: number },
): Promise<Claimed[]> {
  const which = sql<boolean>`broadcast_id = ${unseenText(broadcastId)} and ${IS_DUE} and not_before <= ${now}`;
  return take(trx, by, LEDGER, { which, limit, now });
}

/** Claims rows whose owner is gone. See orphaned. */
export function takeOver(
  trx: Write,
  by: Holder,
  whose: { held: readonly string[]; earlierLives: boolean; limit: number; now: number },
): Promise<Claimed[]> {
  return take(trx, by, LEDGER, { which: orphaned(by, whose), limit: whose.limit, now: whose.now });
}

/** The broadcast, held until the transaction ends, so that two decisions about it are made one after the other. */
export async function lockBroadcast(
  trx: Write,
  dialect: Dialect,
  id: string,
): Promise<Broadcast | undefined> {
  if (!isUuid(id)) return undefined;
  return trx
    .selectFrom("broadcasts")
    .selectAll()
    .where("id", "=", id)
    .$if(dialect === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Those there is something to do for, oldest first; a cancelled one until all its rows are settled. */
export function openBroadcasts(read: Read): Promise<OpenBroadcast[]> {
  return read
    .selectFrom("broadcasts")
    .select(["id", "state", "audience", "tenant_id"])
    .select(["prepared_through", "audience_through", "answers", "refusals"])
    .where("state", "in", ["preparing", "sending", "cancelled"])
    .where("finished_at", "is", null)
    .orderBy("id")
    .execute();
}

/** Whether a push service took it for any device. */
export async function hasAccepted(read: Read, broadcastId: string): Promise<boolean> {
  const row = await read
    .selectFrom("pushes")
    .select("id")
    .where("broadcast_id", "=", broadcastId)
    .where("state", "=", "accepted")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether rows are still to be sent or in flight, or the platform has not done its part. */
export async function hasOpenRows(read: Read, broadcastId: string): Promise<boolean> {
  const row = await read
    .selectFrom("pushes")
    .select("id")
    .where("broadcast_id", "=", broadcastId)
    .where("state", "in", ["pending", "claimed", "retrying"])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined || hasOpenPart(read, broadcastId);
}
