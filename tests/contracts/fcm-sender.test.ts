import { beforeEach, describe, expect, it, vi } from "vitest";
import { minutes } from "~/lib/durations";
import { MAX_MESSAGE_BYTES } from "~/services/push/push-sender";
import type { PushMessage } from "~/services/push/push-sender";
import { useCleanups } from "../cleanups";
import { createFcmSender, createRegistrationToken } from "../factories/firebase";
import { createSubscription } from "../factories/push";
import { fcmError, startGoogle } from "../fakes/google";
import type { FcmAnswer } from "../fakes/google";

const later = useCleanups();

// Google's library warns of an option that firebase-admin gives it.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));

const MESSAGE: PushMessage = {
  notification: { title: "The beta opens", body: "Come in, 世界" },
  tag: "one",
  link: "/contact",
};

/** A sender that knows nobody but the Google of this test. */
async function fcm(
  answer?: (token: string) => FcmAnswer,
  different: { timeoutMs?: number; ca?: string } = {},
) {
  const google = await startGoogle({ ...(answer && { answer }) });
  const made = createFcmSender(google, different);
  later(google.close);
  later(() => made.sender.close());
  return { google, ...made };
}

describe("fcm", () => {
  it("hands over a message for one device, in the name of the service account", async () => {
    const { google, sender, createDevice } = await fcm();
    const device = createDevice();
    expect(await sender.send(device, MESSAGE)).toEqual({
      kind: "accepted",
      status: 200,
      detail: "projects/frontdesk-test/messages/1",
    });
    expect(google.received.map(({ body }) => body)).toEqual([
      {
        message: {
          token: device.token,
          notification: MESSAGE.notification,
          data: { link: "/contact" },
          webpush: { headers: { TTL: "259200", Urgency: "normal" }, notification: { tag: "one" } },
        },
      },
    ]);
    await sender.send(device, { notification: MESSAGE.notification });
    expect(google.received[1]?.body.message).toEqual({
      token: device.token,
      notification: MESSAGE.notification,
      webpush: { headers: { TTL: "259200", Urgency: "normal" } },
    });
    // One access token does for both.
    expect(google.requests.filter((asked) => asked.includes("/token"))).toHaveLength(1);
  });

  it("says of the devices it reads what is stored of them, and knows no other token", async () => {
    const { sender, settings } = await fcm();
    const token = createRegistrationToken();
    expect(sender.readToken(token)).toEqual({
      token,
      endpoint: "",
      p256dh: "",
      auth: "",
      public_key: settings.publicKey,
    });
    for (const none of [
      "",
      "abc",
      createSubscription().token,
      `${token} x`,
      `${token}\n`,
      "x".repeat(4097),
    ]) {
      expect(sender.readToken(none)).toBeUndefined();
    }
  });

  const naming = (field: string) => ({ message: "Request contains an invalid argument.", field });
  const inWords = { message: "The registration token is not a valid FCM registration token" };
  const endings: [string, FcmAnswer & object, object][] = [
    ["UNREGISTERED", fcmError(404, "NOT_FOUND", "UNREGISTERED"), { kind: "gone", status: 404 }],
    [
      "INVALID_ARGUMENT that names the token",
      fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", naming("message.token")),
      { kind: "gone", status: 400 },
    ],
    [
      "INVALID_ARGUMENT that means the token in words",
      fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", inWords),
      { kind: "gone", status: 400, detail: `INVALID_ARGUMENT: ${inWords.message}` },
    ],
    [
      "INVALID_ARGUMENT that names another field",
      fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", naming("message.notification.body")),
      { kind: "refused", status: 400, isOurFault: true },
    ],
    [
      "INVALID_ARGUMENT that names nothing",
      fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
      { kind: "refused", status: 400, isOurFault: true },
    ],
    ["a 404 about no device", fcmError(404, "NOT_FOUND"), { kind: "refused", isOurFault: true }],
    ["a proxy's 404", { status: 404, body: "<html>" }, { kind: "refused", isOurFault: true }],
    ["a proxy's 400", { status: 400, body: "<html>" }, { kind: "refused", isOurFault: true }],
    ["a 413", { status: 413, body: "<html>" }, { kind: "refused", status: 413, isOurFault: true }],
    [
      "SENDER_ID_MISMATCH",
      fcmError(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
      { kind: "unauthorized", status: 403, detail: "SENDER_ID_MISMATCH: Words of Google" },
    ],
    [
      "THIRD_PARTY_AUTH_ERROR",
      fcmError(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"),
      { kind: "unauthorized", status: 401, detail: "THIRD_PARTY_AUTH_ERROR: Words of Google" },
    ],
    ["UNAUTHENTICATED", fcmError(401, "UNAUTHENTICATED"), { kind: "unauthorized", status: 401 }],
    ["PERMISSION_DENIED", fcmError(403, "PERMISSION_DENIED"), { kind: "unauthorized", status: 403 }],
    ["a proxy's 403", { status: 403, body: "<html>" }, { kind: "unauthorized", status: 403 }],
    [
      "QUOTA_EXCEEDED",
      { ...fcmError(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"), headers: { "Retry-After": "90" } },
      { kind: "deferred", status: 429, retryAfterMs: 90_000 },
    ],
    [
      "QUOTA_EXCEEDED without a time",
      fcmError(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
      { kind: "deferred", status: 429, retryAfterMs: undefined },
    ],
    [
      "UNAVAILABLE",
      { ...fcmError(503, "UNAVAILABLE", "UNAVAILABLE"), headers: { "Retry-After": "30" } },
      { kind: "deferred", status: 503, retryAfterMs: 30_000 },
    ],
    [
      "UNAVAILABLE without a time",
      fcmError(503, "UNAVAILABLE", "UNAVAILABLE"),
      { kind: "deferred", status: 503, detail: "Service Unavailable", retryAfterMs: undefined },
    ],
    ["INTERNAL", fcmError(500, "INTERNAL", "INTERNAL"), { kind: "deferred", status: 500 }],
    ["UNSPECIFIED_ERROR", fcmError(500, "UNKNOWN", "UNSPECIFIED_ERROR"), { kind: "deferred", status: 500 }],
    [
      "a proxy's 502",
      { status: 502, body: "<html>Bad Gateway</html>" },
      { kind: "deferred", status: 502, detail: "Answer 502 without a reason" },
    ],
    [
      "a redirect",
      { status: 302, headers: { Location: "https://127.0.0.1/" } },
      { kind: "refused", status: 302, isOurFault: true },
    ],
  ];
  it.each(endings)(
    "takes %s for what it is, after one request (R10, C22, C39)",
    async (_, answer, outcome) => {
      const { google, sender, createDevice } = await fcm(() => answer);
      const told = await sender.send(createDevice(), MESSAGE);
      expect(told).toMatchObject(outcome);
      expect("isOurFault" in told && told.isOurFault).toBe("isOurFault" in outcome);
      expect(google.received).toHaveLength(1);
    },
  );

  it("reads a Retry-After that is a date (R10)", async () => {
    let date = "";
    const { sender, clock, createDevice } = await fcm(() => ({
      status: 429,
      headers: { "Retry-After": date },
    }));
    date = new Date(clock() + minutes(5)).toUTCString();
    expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ retryAfterMs: minutes(5) });
  });

  it("does not know what became of a message that got no answer, and sends it no second time", async () => {
    let how: FcmAnswer = "drop";
    const { google, sender, createDevice } = await fcm(() => how, { timeoutMs: 500 });
    expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "unknown" });
    how = "silent";
    expect(await sender.send(createDevice(), MESSAGE)).toEqual({
      kind: "unknown",
      detail: "Google took too long",
    });
    // What the SDK would have tried again right away would have come before this one.
    how = { status: 200, body: { name: "last" } };
    expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "accepted", detail: "last" });
    expect(google.received).toHaveLength(3);
  });

  it("leaves a 503 to the ledger: the SDK's own second try never gets out (R10)", async () => {
    let how: FcmAnswer = { status: 503, headers: { "Retry-After": "1" } };
    const { google, sender, createDevice } = await fcm(() => how);
    const device = createDevice();
    expect(await sender.send(device, MESSAGE)).toMatchObject({ kind: "deferred", retryAfterMs: 1000 });
    how = { status: 200, body: { name: "ours" } };
    // Longer than the SDK waits.
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(google.received).toHaveLength(1);
    expect(await sender.send(device, MESSAGE)).toMatchObject({ kind: "accepted" });
    expect(google.received).toHaveLength(2);
  });

  it("hands nothing to a Google that is away, or that nobody vouches for (C22)", async () => {
    const { google, sender, createDevice } = await fcm();
    const device = createDevice();
    await google.close();
    expect(await sender.send(device, MESSAGE)).toMatchObject({ kind: "unreachable" });
    const other = await fcm(undefined, { ca: google.cert });
    expect(await other.sender.send(other.createDevice(), MESSAGE)).toMatchObject({ kind: "unreachable" });
    expect(other.google.requests).toEqual([]);
  });

  it("tells a service account that gets no access token from a device that is refused (R10, C39)", async () => {
    const { google, sender, createDevice } = await fcm(undefined, { timeoutMs: 500 });
    google.setResponse("oauth2.googleapis.com", {
      status: 400,
      body: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
    });
    const refused = await sender.send(createDevice(), MESSAGE);
    expect(refused).toMatchObject({ kind: "credentials-refused", status: 400 });
    expect(refused.detail).toContain("invalid_grant");
    google.setResponse("oauth2.googleapis.com", { status: 503 });
    expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "unreachable" });
    google.setResponse("oauth2.googleapis.com", "silent");
    expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "unreachable" });
    expect(google.received).toEqual([]);
  });

  it("sends the longest message there may be, and none longer", async () => {
    const { google, sender, createDevice } = await fcm();
    const empty = JSON.stringify({ notification: { title: "", body: "" } });
    const long = (more: number) => ({
      notification: { title: "", body: "x".repeat(MAX_MESSAGE_BYTES - empty.length + more) },
    });
    expect(await sender.send(createDevice(), long(0))).toMatchObject({ kind: "accepted" });
    await expect(sender.send(createDevice(), long(1))).rejects.toThrow(RangeError);
    expect(google.received).toHaveLength(1);
  });

  it("throws for a message that firebase-admin cannot build, instead of blaming the way to Google (R28)", async () => {
    const { google, sender, createDevice } = await fcm();
    const odd = { ...MESSAGE, link: 1 as unknown as string };
    await expect(sender.send(createDevice(), odd)).rejects.toThrow("data must only contain string values");
    expect(google.requests).toEqual([]);
  });

  it("tells the endings of messages under way at once apart, and keeps their connections", async () => {
    const { google, sender, createDevice } = await fcm((token) =>
      token.startsWith("gone")
        ? fcmError(404, "NOT_FOUND", "UNREGISTERED")
        : { status: 200, body: { name: token } },
    );
    const tokens = Array.from({ length: 20 }, (_, index) =>
      `${index % 3 ? "here" : "gone"}-${index}`.padEnd(40, "x"),
    );
    for (let round = 1; round <= 3; round += 1) {
      const outcomes = await Promise.all(tokens.map((token) => sender.send(createDevice(token), MESSAGE)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(
        tokens.map((token) => (token.startsWith("gone") ? "gone" : "accepted")),
      );
    }
    expect(google.received).toHaveLength(60);
    // With the one that brought the access token.
    expect(google.connections()).toBeLessThanOrEqual(21);
    expect(google.requests.filter((asked) => asked.includes("/token"))).toHaveLength(1);
  });
});
