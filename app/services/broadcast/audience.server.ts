import type { ExpressionBuilder, SqlBool, Expression } from "kysely";
import type { Read, Write, Database } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { BroadcastAudience } from "~/db/tables/broadcast";
import type { DevicesTable } from "~/db/tables/push";
import type { DeviceAddress } from "~/services/push/push-sender";
import { getTarget } from "./audience";
import type { Target } from "./audience";

import { sql } from "kysely";
import type { Clock } from "~/services/clock";
import { getLongKnownLimit } from "./circuit";
import type { OpenBroadcast } from "./broadcast-state.server";

/** Devices another engine registered cannot be reached by this one, and are in no audience. */
export type Engine = DevicesTable["kind"];

/** How many devices would get it now: counted from an index alone, 5 ms for 100,000 on SQLite. */
async function countDevices(read: Read, engine: Engine, target: Target): Promise<number> {
  const { count } = await read
    .selectFrom("devices")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("kind", "=", engine)
    .where((device) => isInTarget(device, target))
    .executeTakeFirstOrThrow();
  return count;
}

/** How many of ours an audience has: where the application's backend reaches its users itself, none of them is ours. */
export async function countOwnDevices(
  read: Read,
  deps: {
    engine: Engine;
    appTypes: { readonly landing: string; readonly application: string };
    isPlatformUsed: boolean;
  },
  selection: { audience: BroadcastAudience; tenantId: string | null },
): Promise<number> {
  if (deps.isPlatformUsed && selection.audience === "application") return 0;
  return countDevices(read, deps.engine, getTarget(selection, deps.appTypes));
}

function isInTarget(device: ExpressionBuilder<Tables, "devices">, target: Target): Expression<SqlBool> {
  switch (target.to) {
    case "all":
      return device.and([]);
    case "app":
      return device("app_type", "=", target.appType);
    case "tenant":
      return device("tenant_id", "=", target.tenantId);
  }
}

/** Everything up to this device belongs to a broadcast that is confirmed now; empty when there is none. */
export async function getLastDevice(read: Read): Promise<string> {
  const row = await read.selectFrom("devices").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? "";
}

/** What leads to a device, and since when it is known to work. */
export type ReachableDevice = DeviceAddress & Pick<DevicesTable, "first_accepted_at">;

/** Each of them by its id; those that are gone are left out. */
export async function getAddresses(
  read: Read,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReachableDevice>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom("devices")
    .select(["id", "token", "endpoint", "p256dh", "auth", "public_key", "first_accepted_at"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, ...address }) => [id, address]));
}

/** Notes that a push service accepted a message for these devices, for which none was accepted before. */
export async function recordFirstAccepted(trx: Write, ids: readonly string[], now: number): Promise<void> {
  await trx
    .updateTable("devices")
    .set({ first_accepted_at: now })
    .where("id", "in", ids)
    .where("first_accepted_at", "is", null)
    .execute();
}

/**
 * Removes devices that their push service does not know any more. One that registered again after that answer stays.
 * @param broadcastId of all of its rows; with `rowIds` of those alone.
 */
export async function removeGoneDevices(
  trx: Write,
  broadcastId: string,
  rowIds?: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom("devices")
    .where("id", "in", (db) =>
      db
        .selectFrom("pushes")
        .select("device_id")
        .where("broadcast_id", "=", broadcastId)
        .where("state", "=", "gone")
        .$if(rowIds !== undefined, (query) => query.where("pushes.id", "in", rowIds ?? []))
        .whereRef("pushes.updated_at", ">=", "devices.last_seen_at"),
    )
    .execute();
}

/** Devices looked at in one write: some 15 ms on SQLite, while messages to the ones before are under way. */
export const CHUNK = 1000;

/**
 * `not_before` of rows that are due at once, in the order they are claimed: no number of new registrations delays the
 * devices that took messages before (hardening C39).
 */
const DUE_FIRST = 0;
const DUE_SECOND = 1;

/**
 * Puts the next thousand devices that belong to the audience into the ledger, once each, and notes in the same write how
 * far it has come: stopped at any point, it goes on from there. The broadcast is under way meanwhile.
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
    // Casts keep the planner to the ids: by the audience's own index it would read all of it for each chunk.
    const isInAudience =
      target.to === "all"
        ? sql`1 = 1`
        : target.to === "app"
          ? sql`cast(app_type as text) = ${target.appType}`
          : sql`cast(tenant_id as text) = ${target.tenantId}`;
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
        and cast(kind as text) = ${engine} and ${isInAudience}
      order by id
      on conflict (id) do nothing
    `.execute(trx);
  });
}
