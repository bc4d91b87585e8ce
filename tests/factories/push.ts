import { createECDH, randomBytes } from "node:crypto";
import { appTypes } from "~/content/brand";
import type { Database } from "~/db/database.server";
import type { DevicesTable } from "~/db/tables/broadcast";
import { shortenAddress } from "~/lib/network-address";
import { createDevices } from "~/services/push/devices.server";
import { WebPushSender, type WebPushSenderOptions } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts, KNOWN_PUSH_HOSTS } from "~/services/push/push-hosts";
import { newId } from "~/services/service-deps";
import { createTestClock } from "./time";

/** A browser's side of a subscription: the token it sends, and the two secrets it keeps to decrypt messages. */
export type TestSubscription = ReturnType<typeof createSubscription>;

let made = 0;
/** Makes a subscription, by default of another device of Chrome's push service each time. */
export function createSubscription(endpoint = `https://fcm.googleapis.com/fcm/send/device-${++made}`) {
  const ecdh = createECDH("prime256v1");
  const p256dh = ecdh.generateKeys("base64url");
  const auth = randomBytes(16);
  const keys = { p256dh, auth: auth.toString("base64url") };
  const token = JSON.stringify({ endpoint, expirationTime: null, keys });
  return { token, endpoint, privateKey: ecdh.getPrivateKey(), auth };
}

export function createVapidKeys(): { publicKey: string; privateKey: string } {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys("base64url");
  // One key in 256 begins with a zero byte, which ECDH leaves out and VAPID needs.
  const scalar = ecdh.getPrivateKey("hex").padStart(64, "0");
  return { publicKey, privateKey: Buffer.from(scalar, "hex").toString("base64url") };
}

/** Creates a sender with new keys that reaches only the given push service, under the service's name. */
export function createWebPushSender(
  { host, cert }: { host: string; cert: string },
  {
    clock = createTestClock(),
    ...transport
  }: { clock?: () => number } & NonNullable<WebPushSenderOptions["transport"]> = {},
) {
  const options = {
    ...createVapidKeys(),
    clock,
    contact: "mailto:hello@example.com",
    hosts: createPushHosts([host]),
    transport: { ca: cert, resolve: () => ({ address: "127.0.0.1", family: 4 }), ...transport },
  };
  return { options, sender: new WebPushSender(options) };
}

export const getEndpoint = (name: string) => `https://push.example.com/${name}`;
export const names = (count: number) => Array.from({ length: count }, (_, index) => `device-${index + 1}`);

/** Devices that accepted a push message long ago: their failures count against this server (hardening C39). */
export const LONG_KNOWN: Partial<DevicesTable> = { first_accepted_at: 1 };

/** Stores devices in the given order, by default without keys that messages could be encrypted for. */
export async function addDevices(
  database: Database,
  deviceNames: readonly string[],
  differing: Partial<DevicesTable> | ((name: string) => Partial<DevicesTable>) = {},
): Promise<void> {
  const rows = deviceNames.map((name): DevicesTable => ({
    id: newId(),
    token_hash: `hash of ${name}`,
    token: `token of ${name}`,
    uid: `visitor of ${name}`,
    app_type: appTypes.landing,
    tenant_id: null,
    kind: "webpush",
    scope: "/push",
    endpoint: getEndpoint(name),
    p256dh: "",
    auth: "",
    public_key: "",
    created_at: 1,
    first_seen_at: 1,
    last_seen_at: 1,
    first_accepted_at: null,
    ...(typeof differing === "function" ? differing(name) : differing),
  }));
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500);
    await database.write((trx) => trx.insertInto("devices").values(some).execute());
  }
}

/** Creates devices on a database, with a clock the test moves. */
export function createTestDevices(database: Database, options: { maxDevices?: number } = {}) {
  const clock = createTestClock();
  const keys = createVapidKeys();
  const sender = new WebPushSender({
    ...keys,
    clock,
    hosts: createPushHosts(KNOWN_PUSH_HOSTS),
    contact: "mailto:hello@example.com",
  });
  const devices = createDevices({
    database,
    sender,
    clock,
    newId,
    appType: appTypes.landing,
    scope: "/push",
    ...options,
  });
  let networks = 0;

  return {
    clock,
    keys,
    listRows: () => database.read.selectFrom("devices").selectAll().orderBy("id").execute(),
    /** Registers a token for a visitor, each time from another network. */
    register(
      token: string,
      uid = "ada",
      different: { userId?: string; appType?: string; address?: string } = {},
    ) {
      networks += 1;
      const { userId = uid, appType = appTypes.landing } = different;
      const address = different.address ?? `10.${networks >> 8}.${networks & 255}.1`;
      const caller = { address, network: shortenAddress(address), requestId: "request-1" };
      return devices.register({ token, userId, appType }, { uid, ...caller });
    },
  };
}
