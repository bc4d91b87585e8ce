import { beforeEach, describe, expect, it, vi } from "vitest";
import { removeAfterTest } from "../fixture";
import { createFcmSender, createRegistrationToken } from "../factories/firebase";
import { createSubscription } from "../factories/push";
import { describePushSender, MESSAGE } from "../factories/push-battery";
import { fcmError, startGoogle } from "../fakes/google";
import { oauthError } from "../fakes/google-errors";
import type { HostAnswer } from "../fakes/google-hosts";
import { TOKENS } from "../fakes/google-oauth";

// Google's library warns of an option that firebase-admin gives it.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));

/** Creates a sender that reaches only the Google of this test. */
async function setUp(
  answer?: (token: string) => HostAnswer,
  different?: Parameters<typeof createFcmSender>[1],
) {
  const google = removeAfterTest(await startGoogle({ answer }));
  return { google, service: google, ...createFcmSender(google, different) };
}

describePushSender("FcmSender", setUp);

describe("FcmSender", () => {
  it("sends a message for one device in the name of the service account", async () => {
    const { google, sender, createDevice } = await setUp();
    const device = createDevice();
    const accepted = { kind: "accepted", status: 200, detail: "projects/frontdesk-test/messages/1" };
    expect(await sender.send(device, MESSAGE)).toEqual(accepted);
    await sender.send(device, { notification: MESSAGE.notification });
    const common = { token: device.token, notification: MESSAGE.notification };
    const headers = { TTL: "259200", Urgency: "normal" };
    const webpush = { headers, notification: { tag: "one" } };
    expect(google.received).toEqual([
      { message: { ...common, data: { link: "/contact" }, webpush } },
      { message: { ...common, webpush: { headers } } },
    ]);
    // One access token serves both.
    expect(google.requests.filter((request) => request.includes("/token"))).toHaveLength(1);
  });

  it("reads a registration token, and no other token", async () => {
    const { sender, settings } = await setUp();
    const token = createRegistrationToken();
    const device = { token, endpoint: "", p256dh: "", auth: "", public_key: settings.publicKey };
    expect(sender.readToken(token)).toEqual(device);
    const others = ["", "abc", createSubscription().token, `${token} x`, `${token}\n`, "x".repeat(4097)];
    expect(others.filter((other) => sender.readToken(other))).toEqual([]);
  });

  const invalid = (different: Parameters<typeof fcmError>[3]) =>
    fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", different);
  const inWords = { message: "The registration token is not a valid FCM registration token" };
  const retryAfter = (seconds: string) => ({ headers: { "Retry-After": seconds } });
  const unavailable = fcmError(503, "UNAVAILABLE", "UNAVAILABLE");
  const quotaExceeded = fcmError(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED");
  const html = { body: "<html>" };
  const ourFault = { kind: "refused", isOurFault: true };
  const deferred = (retryAfterMs?: number) => ({ kind: "deferred", retryAfterMs });
  // R10, C22, C39
  it.each<[string, HostAnswer & object, object]>([
    ["UNREGISTERED", fcmError(404, "NOT_FOUND", "UNREGISTERED"), { kind: "gone" }],
    ["INVALID_ARGUMENT with the token's field", invalid({ field: "message.token" }), { kind: "gone" }],
    [
      "INVALID_ARGUMENT with the token in its text",
      invalid(inWords),
      { kind: "gone", detail: `INVALID_ARGUMENT: ${inWords.message}` },
    ],
    ["INVALID_ARGUMENT with another field", invalid({ field: "message.notification.body" }), ourFault],
    ["a 404 about no device", fcmError(404, "NOT_FOUND"), ourFault],
    ["a proxy's 404", { status: 404, ...html }, ourFault],
    ["a proxy's 400", { status: 400, ...html }, ourFault],
    ["a redirect", { status: 302, headers: { Location: "/" } }, ourFault],
    [
      "SENDER_ID_MISMATCH",
      fcmError(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
      { kind: "unauthorized", detail: "SENDER_ID_MISMATCH: Words of Google" },
    ],
    ["UNAUTHENTICATED", fcmError(401, "UNAUTHENTICATED"), { kind: "unauthorized" }],
    ["a proxy's 403", { status: 403, ...html }, { kind: "unauthorized" }],
    ["QUOTA_EXCEEDED with Retry-After", { ...quotaExceeded, ...retryAfter("90") }, deferred(90_000)],
    ["QUOTA_EXCEEDED without it", quotaExceeded, deferred()],
    ["UNAVAILABLE with Retry-After", { ...unavailable, ...retryAfter("30") }, deferred(30_000)],
    ["UNAVAILABLE without it", unavailable, { ...deferred(), detail: "UNAVAILABLE: Words of Google" }],
    ["INTERNAL", fcmError(500, "INTERNAL", "INTERNAL"), { kind: "deferred" }],
    ["a proxy's 502", { status: 502, ...html }, { kind: "deferred", detail: "Status 502 without a reason" }],
  ])("interprets %s after one request", async (_, answer, expected) => {
    const { google, sender, createDevice } = await setUp(() => answer);
    const outcome = await sender.send(createDevice(), MESSAGE);
    expect(outcome).toMatchObject({ status: answer.status, ...expected });
    expect("isOurFault" in outcome && outcome.isOurFault).toBe("isOurFault" in expected);
    expect(google.received).toHaveLength(1);
  });

  // R10, C39
  it("distinguishes a refused access token from a refused device", async () => {
    const { google, sender, createDevice } = await setUp(undefined, { timeoutMs: 500 });
    google.setResponse(TOKENS, oauthError("invalid_grant", "Invalid JWT Signature."));
    const refused = await sender.send(createDevice(), MESSAGE);
    expect(refused).toMatchObject({ kind: "credentials-refused", status: 400 });
    expect(refused.detail).toContain("invalid_grant");
    for (const status of [429, 503]) {
      google.setResponse(TOKENS, { status });
      expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "unreachable" });
    }
    google.setResponse(TOKENS, "silent");
    expect(await sender.send(createDevice(), MESSAGE)).toMatchObject({ kind: "unreachable" });
    expect(google.received).toEqual([]);
  });

  it("reuses its connections", async () => {
    const { google, sender, createDevice } = await setUp();
    for (let batch = 1; batch <= 3; batch += 1) {
      await Promise.all(Array.from({ length: 20 }, () => sender.send(createDevice(), MESSAGE)));
    }
    expect(google.received).toHaveLength(60);
    // Includes the connection that fetched the access token.
    expect(google.connections()).toBeLessThanOrEqual(21);
    expect(google.requests.filter((request) => request.includes("/token"))).toHaveLength(1);
  });
});
