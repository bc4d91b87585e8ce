import { createECDH, randomBytes } from "node:crypto";
import { brand } from "~/content/brand";
import type { Database } from "~/db/database.server";
import { createDevices } from "~/services/push/devices.server";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts, KNOWN_PUSH_HOSTS } from "~/services/push/push-hosts";
import { newId } from "~/services/ids.server";
import { testClock } from "./time";

/** A browser's side of a subscription: what it tells, and the two secrets it keeps to read messages. */
export interface TestSubscription {
  readonly token: string;
  readonly endpoint: string;
  readonly privateKey: Buffer;
  readonly auth: Buffer;
}

let made = 0;
/** Each another device of Chrome's push service, unless the address is given. */
export function subscription(
  endpoint = `https://fcm.googleapis.com/fcm/send/device-${++made}`,
): TestSubscription {
  const ecdh = createECDH("prime256v1");
  const p256dh = ecdh.generateKeys("base64url");
  const auth = randomBytes(16);
  const keys = { p256dh, auth: auth.toString("base64url") };
  const token = JSON.stringify({ endpoint, expirationTime: null, keys });
  return { token, endpoint, privateKey: ecdh.getPrivateKey(), auth };
}

/** The product's own keys, new for each test run. */
export function vapidKeys(): { publicKey: string; privateKey: string } {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys("base64url");
  // One key in 256 begins with a zero byte, which is left out here and needed there.
  const scalar = ecdh.getPrivateKey("hex").padStart(64, "0");
  return { publicKey, privateKey: Buffer.from(scalar, "hex").toString("base64url") };
}

/** Devices on a database, with a clock moved by hand. */
export function devicesOn(database: Database, options: { devicesAtMost?: number } = {}) {
  const clock = testClock();
  const keys = vapidKeys();
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
    /** Registers a token for a visitor, each time from a network of its own. */
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
