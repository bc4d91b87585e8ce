import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { countUpTo } from "~/db/rows";
import type { DevicesTable } from "~/db/tables/broadcast";
import { minutes } from "~/lib/durations";
import type { DeviceAddress } from "./push-sender";

/** Devices of one visitor or user; a further one evicts the least recently used (hardening C28). */
const DEVICES_PER_OWNER = 10;
/**
 * Maximum number of devices of one app; once reached, new ones are refused until some are removed. Visitors are free to
 * invent: evicting the oldest instead would let an attacker push out real people's devices (hardening R36).
 */
const MAX_DEVICES = 500_000;
/** Interval between counts of all devices, which take 25 ms on SQLite. */
export const COUNT_INTERVAL_MS = minutes(10);
/** UTF-8 bytes (hardening C28). */
const MAX_TOKEN_BYTES = 4096;
/** All engines: named in a query, so that it uses the index by kind and app. */
const ENGINES = ["webpush", "fcm"] as const satisfies readonly DevicesTable["kind"][];

/** Returns whether a token is short enough to be stored. */
export const isTokenShort = (token: string): boolean => Buffer.byteLength(token) <= MAX_TOKEN_BYTES;

/** Returns what identifies a device: a hash of its endpoint at its push service or, with Firebase, of its token. */
export function hashDevice({ endpoint, token }: Pick<DeviceAddress, "endpoint" | "token">): string {
  return createHash("sha256")
    .update(endpoint || token)
    .digest("hex");
}

/**
 * Stores devices, or what their registration says of known ones, in one statement. Each is named once, and they are
 * written in the order of their hashes, so that no two of these deadlock.
 */
export async function upsertDevices(trx: Write, devices: readonly DevicesTable[]): Promise<void> {
  if (devices.length === 0) return;
  await trx
    .insertInto("devices")
    .values(devices.toSorted((a, b) => (a.token_hash < b.token_hash ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.column("token_hash").doUpdateSet(({ ref }) => ({
        token: ref("excluded.token"),
        uid: ref("excluded.uid"),
        app_type: ref("excluded.app_type"),
        tenant_id: ref("excluded.tenant_id"),
        kind: ref("excluded.kind"),
        endpoint: ref("excluded.endpoint"),
        p256dh: ref("excluded.p256dh"),
        auth: ref("excluded.auth"),
        scope: ref("excluded.scope"),
        public_key: ref("excluded.public_key"),
        last_seen_at: ref("excluded.last_seen_at"),
        created_at: sql`case when devices.uid = excluded.uid then devices.created_at else excluded.created_at end`,
        // An earlier acceptance counts only for the key it was signed with.
        first_accepted_at: sql`case when devices.public_key = excluded.public_key then devices.first_accepted_at end`,
      })),
    )
    .execute();
}

/**
 * Removes the least recently used devices of owners who have too many in an app.
 * @returns the hashes of the removed ones.
 */
export async function evictOldest(
  trx: Write,
  appType: string,
  owners: readonly string[],
): Promise<ReadonlySet<string>> {
  if (owners.length === 0) return new Set();
  const ranked = trx
    .selectFrom("devices")
    .select(({ fn }) => [
      "id",
      fn
        .agg<number>("row_number")
        .over((over) => over.partitionBy("uid").orderBy("last_seen_at", "desc").orderBy("id", "desc"))
        .as("from_newest"),
    ])
    .where("uid", "in", owners)
    .where("app_type", "=", appType);
  const rows = await trx
    .deleteFrom("devices")
    .where("id", "in", (db) =>
      db.selectFrom(ranked.as("ranked")).select("id").where("from_newest", ">", DEVICES_PER_OWNER),
    )
    .returning("token_hash")
    .execute();
  return new Set(rows.map(({ token_hash }) => token_hash));
}

/** Creates the check whether an app has as many devices as it may have. They are counted every ten minutes. */
export function createDeviceLimit(deps: {
  readonly database: Database;
  readonly appType: string;
  readonly maxDevices?: number | undefined;
}) {
  const { database, appType, maxDevices = MAX_DEVICES } = deps;
  let counted = { at: -Infinity, count: 0 };

  return {
    async isFull(now: number): Promise<boolean> {
      if (now < counted.at || now >= counted.at + COUNT_INTERVAL_MS) {
        const { read } = database;
        const devices = read.selectFrom("devices").select("id").where("kind", "in", ENGINES);
        const ofApp = devices.where("app_type", "=", appType);
        counted = { at: now, count: await countUpTo(maxDevices, read, ofApp) };
      }
      return counted.count >= maxDevices;
    },

    /** Adds devices to the count until they are counted: a program registers thousands in ten minutes. */
    add(devices: number): void {
      counted.count += devices;
    },
  };
}
