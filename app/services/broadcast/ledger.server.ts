import type { Selectable } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { BroadcastsTable } from "~/db/tables/broadcast";
import { isUuid } from "~/lib/uuid";
import { hasOpenJobs } from "~/services/queue/groups.server";
import type { Dialect } from "~/services/queue/leases.server";
import { hasOpenPart } from "./platform-part.server";

export type Broadcast = Selectable<BroadcastsTable>;
export type OpenBroadcast = Pick<
  Broadcast,
  | ("id" | "state" | "audience" | "tenant_id")
  | ("prepared_through" | "audience_through" | "answers" | "refusals")
>;

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

/** Whether push messages are waiting or in flight, or the platform has not done its part. */
export async function hasOpenRows(read: Read, id: string): Promise<boolean> {
  const jobs = { table: "pushes", column: "broadcast_id", id } as const;
  return (await hasOpenJobs(read, jobs)) || hasOpenPart(read, id);
}
