import { sql } from "kysely";
import type { Read, Write, Database } from "~/db/database.server";
import { countRows } from "~/db/rows";
import type { DevicesTable } from "~/db/tables/broadcast";
import type { Clock } from "~/services/service-deps";
import type { OpenBroadcast } from "./broadcast-state.server";
import { getLongKnownLimit } from "./circuit";
import type { KnownDevice } from "./delivery-result";
import { getTarget, type AppTypes, type Target } from "./target";

/** The push engine. Devices registered with another engine cannot be reached and are in no audience. */
export type Engine = DevicesTable["kind"];

/**
 * Counts our devices in an audience: none of the application's where its backend sends to them itself. Reads an
 * index alone: 5 ms for 100,000 devices on SQLite.
 */
export async function countOwnDevices(
  read: Read,
  deps: { engine: Engine; appTypes: AppTypes; isPlatformUsed: boolean },
  selection: Parameters<typeof getTarget>[0],
): Promise<number> {
  if (deps.isPlatformUsed && selection.audience === "application") return 0;
  const target = getOwnTarget(selection, deps);
  const devices = read.selectFrom("devices").where((device) => device.and({ kind: deps.engine, ...target }));
  return countRows(devices);
}

/**
 * Returns the target of our own devices: only the landing page's where the application's backend sends to all of the
 * application's itself, for some may have been registered here before it did.
 */
export function getOwnTarget(
  selection: Parameters<typeof getTarget>[0],
  { appTypes, isPlatformUsed }: { appTypes: AppTypes; isPlatformUsed: boolean },
): Target {
  if (isPlatformUsed && selection.audience === "all") return { app_type: appTypes.landing };
  return getTarget(selection, appTypes);
}

/** Returns the id of the newest device, the last one of a broadcast confirmed now; empty without devices. */
export async function getLastDevice(read: Read): Promise<string> {
  const row = await read.selectFrom("devices").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? "";
}

/** Returns devices by id; removed ones are missing. */
export async function findDevices(read: Read, ids: readonly string[]): Promise<Map<string, KnownDevice>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom("devices")
    .select(["id", "token", "endpoint", "p256dh", "auth", "public_key", "first_accepted_at"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, ...address }) => [id, address]));
}

/** Records the first accepted message of devices that had none. */
export async function recordFirstAccepted(trx: Write, ids: readonly string[], now: number): Promise<void> {
  await trx
    .updateTable("devices")
    .set({ first_accepted_at: now })
    .where("id", "in", ids)
    .where("first_accepted_at", "is", null)
    .execute();
}

/**
 * Removes the devices of a broadcast that their push service reported as gone, except those registered again since.
 * @param rowIds limits it to these deliveries.
 */
export async function removeGoneDevices(trx: Write, broadcastId: string, rowIds?: readonly string[]) {
  await trx
    .deleteFrom("devices")
    .where("id", "in", (db) =>
      db
        .selectFrom("pushes")
        // A reference to the outer devices would list the deliveries again for each of them. The lock waits for a
        // device that registers again at this moment, whose new row the conditions are then checked on.
        .innerJoin("devices as known", "known.id", "pushes.device_id")
        .select("device_id")
        .where("broadcast_id", "=", broadcastId)
        .where("state", "=", "gone")
        .$if(rowIds !== undefined, (query) => query.where("pushes.id", "in", rowIds ?? []))
        .whereRef("pushes.updated_at", ">=", "known.last_seen_at")
        .forUpdate("known"),
    )
    .execute();
}

/** Devices per snapshot write: some 15 ms on SQLite. Messages to earlier ones are sent meanwhile. */
export const CHUNK = 1000;

/**
 * `not_before` of new deliveries. Both values are due at once; the lower one is claimed first, so that no
 * number of new registrations delays long-known devices (hardening C39).
 */
const DUE_FIRST = 0;
const DUE_SECOND = 1;

/**
 * Creates deliveries for the next thousand devices, one for each in the audience, and stores its progress in
 * the same write, so that it resumes after a crash. Deliveries that exist are sent meanwhile.
 */
export async function snapshotAudience(
  { database, clock, engine }: { database: Database; clock: Clock; engine: Engine },
  { id, prepared_through: from, audience_through: through }: OpenBroadcast,
  target: Target,
): Promise<void> {
  const strpos = sql.raw(database.dialect === "postgres" ? "strpos" : "instr");
  const now = clock();
  await database.write(async (trx) => {
    const boundary = await trx
      .selectFrom("devices")
      .select("id")
      .where("id", ">", from)
      .where("id", "<=", through)
      .orderBy("id")
      .offset(CHUNK - 1)
      .limit(1)
      .executeTakeFirst();
    const { numUpdatedRows } = await trx
      .updateTable("broadcasts")
      .set(boundary ? { prepared_through: boundary.id } : { prepared_through: through, state: "sending" })
      .where("id", "=", id)
      .where("state", "=", "preparing")
      // Another instance may have copied this chunk meanwhile.
      .where("prepared_through", "=", from)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    // Casts make the planner use the ids: with the audience's index it would read the whole audience for each chunk.
    const conditions = Object.entries({ kind: engine, ...target }).map(
      ([column, value]) => sql`cast(${sql.ref(column)} as text) = ${value}`,
    );
    await sql`
      insert into pushes
        (id, broadcast_id, device_id, service, state, detail, attempts, not_before, lease_owner, lease_until, updated_at)
      select cast(${`${id}.`} as text) || id, cast(${id} as text), id,
        case when endpoint = '' then kind else substr(endpoint, 9, ${strpos}(substr(endpoint || '/', 9), '/') - 1) end,
        'pending', '', 0,
        case when first_accepted_at < cast(${getLongKnownLimit(now)} as bigint) then ${sql.lit(DUE_FIRST)} else ${sql.lit(DUE_SECOND)} end,
        '', 0, cast(${now} as bigint)
      from devices
      where id > ${from} and id <= ${boundary?.id ?? through}
        and ${sql.join(conditions, sql` and `)}
      order by id
      on conflict (id) do nothing
    `.execute(trx);
  });
}
