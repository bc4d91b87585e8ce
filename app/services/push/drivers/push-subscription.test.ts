import { describe, expect, it } from "vitest";
import { parsePushSubscription } from "./web-push-sender.server";

const endpoint = "https://fcm.googleapis.com/fcm/send/abc";
/** Example of RFC 8291, section 5. */
const p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const auth = "BTBZMqHH6r4Tts7J_aSIgg";

describe("a push subscription", () => {
  it("is parsed as browsers serialise it", () => {
    const json = JSON.stringify({ endpoint, expirationTime: null, keys: { p256dh, auth } });
    expect(parsePushSubscription(json)).toEqual({ endpoint, keys: { p256dh, auth } });
  });

  it.each([
    ["no JSON", "abc"],
    ["null", "null"],
    ["without keys", JSON.stringify({ endpoint })],
    ["with a short key", JSON.stringify({ endpoint, keys: { p256dh: p256dh.slice(4), auth } })],
    [
      "with a key on no curve",
      JSON.stringify({ endpoint, keys: { p256dh: `${p256dh.slice(0, -2)}iw`, auth } }),
    ],
    ["with a short secret", JSON.stringify({ endpoint, keys: { p256dh, auth: auth.slice(4) } })],
    ["with other characters in its secret", JSON.stringify({ endpoint, keys: { p256dh, auth: `${auth}!` } })],
    ["with a list for an address", JSON.stringify({ endpoint: [endpoint], keys: { p256dh, auth } })],
  ])("is refused when it is %s", (_, json) => {
    expect(parsePushSubscription(json)).toBeUndefined();
  });
});
