import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { BroadcastsTable } from "~/db/tables/broadcast";
import { isUuid } from "~/lib/uuid";
import type { PushMessage } from "~/services/push/push-sender";
import { STATES_WITH_WORK } from "~/services/queue/life-cycle";
import type { TransitionResult as GroupTransitionResult } from "~/services/queue/transitions.server";
import { toPushMessage } from "./message";

export type Broadcast = Selectable<BroadcastsTable>;
export type OpenBroadcast = Awaited<ReturnType<typeof listOpenBroadcasts>>[number];

/** What a broadcast holds that is not paused. */
export const NO_HOLD = { hold: "", hold_detail: "" } as const;

/** Reads a broadcast and locks its row until the transaction ends, so that concurrent transitions are serialized. */
export async function lockBroadcast(trx: Write, id: string): Promise<Broadcast | undefined> {
  if (!isUuid(id)) return undefined;
  return trx.selectFrom("broadcasts").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Lists broadcasts with work left, oldest first; a cancelled one until all its deliveries are settled. */
export function listOpenBroadcasts(read: Read) {
  return read
    .selectFrom("broadcasts")
    .select(["id", "state", "confirmed_at"])
    .select(["audience", "tenant_id", "prepared_through", "audience_through"])
    .where("state", "in", STATES_WITH_WORK)
    .where("finished_at", "is", null)
    .orderBy("id")
    .execute();
}

/** Returns the messages of broadcasts by their ids. */
export async function loadMessages(read: Read, ids: readonly string[]): Promise<Map<string, PushMessage>> {
  const broadcasts = read
    .selectFrom("broadcasts")
    .select(["id", "title", "body", "link"])
    .where("id", "in", ids);
  return new Map((await broadcasts.execute()).map(({ id, ...content }) => [id, toPushMessage(id, content)]));
}

export type TransitionResult = GroupTransitionResult<"unknown-broadcast">;
