import { ECDH } from "node:crypto";
import { z } from "zod";

const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;

const ofLength = (bytes: number) =>
  z.string().refine((text) => /^[\w-]+={0,2}$/.test(text) && Buffer.from(text, "base64url").length === bytes);

/** As browsers serialise a URL: ASCII without spaces. What only a lenient parser would take is none (hardening R37). */
const SERIALISED_URL = /^[!-~]+$/;

const schema = z.object({
  endpoint: z.string().regex(SERIALISED_URL),
  keys: z.object({ p256dh: ofLength(PUBLIC_KEY_BYTES).refine(isOnCurve), auth: ofLength(AUTH_BYTES) }),
});

export type PushSubscription = z.infer<typeof schema>;

/** A PushSubscription as browsers write it in JSON (Push API, section 8; keys as of RFC 8291). Undefined when it is none. */
export function readPushSubscription(json: string): PushSubscription | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** A point that is none would make encrypting throw. */
function isOnCurve(key: string): boolean {
  try {
    ECDH.convertKey(key, "prime256v1", "base64url");
    return true;
  } catch {
    return false;
  }
}
