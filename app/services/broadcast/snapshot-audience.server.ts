import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import type { Clock } from "~/services/clock";
import type { Target } from "./audience";
import { longKnownBefore } from "./circuit";
import type { Engine } from "./devices-of.server";
import type { OpenBroadcast } from "./ledger.server";

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
        case when first_accepted_at < cast(${longKnownBefore(now)} as bigint) then ${sql.lit(DUE_FIRST)} else ${sql.lit(DUE_SECOND)} end,
        '', 0, cast(${now} as bigint)
      from devices
      where id > ${from} and id <= ${boundary?.id ?? through}
        and cast(kind as text) = ${engine} and ${isInAudience}
      order by id
      on conflict (id) do nothing
    `.execute(trx);
  });
}
