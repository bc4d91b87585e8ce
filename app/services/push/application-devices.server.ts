import type { DevicesTable } from "~/db/tables/broadcast";
import { emailKey, isPlainAddress, toAsciiAddress } from "~/lib/email-address";
import type { ServiceDeps } from "~/services/service-deps";
import {
  createDeviceLimit,
  evictOldest,
  hashDevice,
  isTokenShort,
  upsertDevices,
} from "./device-rows.server";
import type { PushSender } from "./push-sender";

/** A device as the application names it. */
export interface ApplicationDevice {
  /** The application's own id of the user. */
  readonly user: string;
  /** Id of the user's company; undefined without one. */
  readonly tenant: string | undefined;
  readonly engine: DevicesTable["kind"];
  /** A PushSubscription in JSON, or a Firebase token. */
  readonly token: string;
}

/**
 * - wrong_engine: this server sends with the other engine.
 * - unusable_device: no subscription or token, or one of an unknown push service.
 * - unknown_tenant: no company has this id.
 * - too_many_devices: the application has as many as it may have, or the batch more of one user than are kept.
 */
export type DeviceRefusal = "wrong_engine" | "unusable_device" | "unknown_tenant" | "too_many_devices";
export type DeviceResult = { ok: true; isNew: boolean } | { ok: false; error: DeviceRefusal };

interface ApplicationDevicesDeps extends ServiceDeps {
  readonly sender: Pick<PushSender, "name" | "readToken">;
  /** App that the devices belong to: the application. */
  readonly appType: string;
  readonly maxDevices?: number;
}

/**
 * Registers the devices of the application's users, as the application names them. They follow the rules for visitors'
 * devices, except for the limits of networks, which a program would reach at once (docs/decisions/0113).
 */
export function createApplicationDevices(deps: ApplicationDevicesDeps) {
  const { database, sender, appType, clock, newId } = deps;
  const limit = createDeviceLimit(deps);

  return {
    /**
     * Registers or refreshes devices; they are on disk when the promise resolves. A refused one does not keep the others
     * from being stored. Of a device that is named several times the last one counts.
     * @param tenants the ids of all companies.
     * @returns a result for each device, in their order.
     */
    async register(
      devices: readonly ApplicationDevice[],
      tenants: ReadonlySet<string>,
    ): Promise<DeviceResult[]> {
      const now = clock();
      const parsed = devices.map((device) => toRow(device, tenants, now));
      const rows = new Map(
        parsed.flatMap((row) => (typeof row === "string" ? [] : [[row.token_hash, row] as const])),
      );
      const stored = rows.size > 0 ? await store(rows, await limit.isFull(now)) : new Map<string, boolean>();
      limit.add([...stored.values()].filter((isNew) => isNew).length);
      return parsed.map((row): DeviceResult => {
        if (typeof row === "string") return { ok: false, error: row };
        const isNew = stored.get(row.token_hash);
        return isNew === undefined ? { ok: false, error: "too_many_devices" } : { ok: true, isNew };
      });
    },

    /**
     * Removes devices of the application, and all devices of users.
     * @param devices their endpoints or Firebase tokens.
     * @returns how many there were.
     */
    async remove(devices: readonly string[], users: readonly string[]): Promise<number> {
      const hashes = devices.map((token) => hashDevice({ endpoint: "", token }));
      const owners = users.map(toUserId);
      return database.write(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom("devices")
          .where("app_type", "=", appType)
          .where((row) =>
            row.or([
              ...(hashes.length > 0 ? [row("token_hash", "in", hashes)] : []),
              ...(owners.length > 0 ? [row("uid", "in", owners)] : []),
            ]),
          )
          .executeTakeFirst();
        return Number(numDeletedRows);
      });
    },
  };

  /** Stores rows by their hashes, only known ones when there are too many. @returns whether each stored one is new. */
  function store(rows: ReadonlyMap<string, DevicesTable>, isFull: boolean): Promise<Map<string, boolean>> {
    return database.write(async (trx) => {
      const found = await trx
        .selectFrom("devices")
        .select("token_hash")
        .where("token_hash", "in", [...rows.keys()])
        .execute();
      const known = new Set(found.map(({ token_hash }) => token_hash));
      const storable = [...rows.values()].filter((row) => !isFull || known.has(row.token_hash));
      await upsertDevices(trx, storable);
      const evicted = await evictOldest(trx, appType, [...new Set(storable.map(({ uid }) => uid))]);
      return new Map(
        storable
          .filter((row) => !evicted.has(row.token_hash))
          .map(({ token_hash }) => [token_hash, !known.has(token_hash)]),
      );
    });
  }

  function toRow(
    { user, tenant, engine, token }: ApplicationDevice,
    tenants: ReadonlySet<string>,
    now: number,
  ): DevicesTable | DeviceRefusal {
    if (engine !== sender.name) return "wrong_engine";
    if (tenant !== undefined && !tenants.has(tenant)) return "unknown_tenant";
    const address = isTokenShort(token) ? sender.readToken(token) : undefined;
    if (!address) return "unusable_device";
    return {
      ...address,
      id: newId(),
      token_hash: hashDevice(address),
      uid: toUserId(user),
      app_type: appType,
      tenant_id: tenant ?? null,
      kind: sender.name,
      // Known to the application alone.
      scope: "",
      created_at: now,
      first_seen_at: now,
      last_seen_at: now,
      first_accepted_at: null,
    };
  }
}

/** Returns the id under which a user is stored: an address as it is compared, so that an erasure finds it. */
function toUserId(user: string): string {
  return isPlainAddress(toAsciiAddress(user)) ? emailKey(user) : user;
}
