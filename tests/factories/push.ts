import { createECDH, randomBytes } from "node:crypto";
import { brand } from "~/content/brand";
import type { Database } from "~/db/database.server";
import { createDevices } from "~/services/push/devices.server";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts, KNOWN_PUSH_HOSTS } from "~/services/push/push-hosts";
import { newId } from "~/services/ids.server";
import { createTestClock } from "./time";

/** A browser's side of a subscription: the token it sends, and the two secrets it keeps to decrypt messages. */
export interface TestSubscription {
  readonly token: string;
  readonly endpoint: string;
  readonly privateKey: Buffer;
  readonly auth: Buffer;
}

let made = 0;
/** Makes a subscription, by default of another device of Chrome's push service each time. */
export function createSubscription(
  endpoint = `https://fcm.googleapis.com/fcm/send/device-${++made}`,
): TestSubscription {
  const ecdh = createECDH("prime256v1");
  const p256dh = ecdh.generateKeys("base64url");
  const auth = randomBytes(16);
  const keys = { p256dh, auth: auth.toString("base64url") };
  const token = JSON.stringify({ endpoint, expirationTime: null, keys });
  return { token, endpoint, privateKey: ecdh.getPrivateKey(), auth };
}

/** Makes a VAPID key pair. */
export function createVapidKeys(): { publicKey: string; privateKey: string } {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys("base64url");
  // One key in 256 begins with a zero byte, which ECDH leaves out and VAPID needs.
  const scalar = ecdh.getPrivateKey("hex").padStart(64, "0");
  return { publicKey, privateKey: Buffer.from(scalar, "hex").toString("base64url") };
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
    appType: brand.appTypes.landing,
    scope: "/push",
    ...options,
  });
  let networks = 0;

  return {
    clock,
    keys,
    rows,
    /** Registers a token for a visitor, each time from another network. */
    register(
      token: string,
      uid = "ada",
      different: { userId?: string; appType?: string; address?: string } = {},
    ) {
      networks += 1;
      const { userId = uid, appType = brand.appTypes.landing } = different;
      const address = different.address ?? `10.${networks >> 8}.${networks & 255}.1`;
      return devices.register({ token, userId, appType }, { uid, address, requestId: "request-1" });
    },
  };

  function rows() {
    return database.read.selectFrom("devices").selectAll().orderBy("id").execute();
  }
}
