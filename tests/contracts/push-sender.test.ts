import { describe, expect, it } from "vitest";
import { hours } from "~/lib/durations";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts } from "~/services/push/push-hosts";
import { removeAfterTest } from "../fixture";
import { createSubscription, createVapidKeys, createWebPushSender } from "../factories/push";
import { createLongest, describePushSender, MESSAGE } from "../factories/push-battery";
import { createTestClock } from "../factories/time";
import { decrypt, startPushService, vapidClaims, type PushAnswer } from "../fakes/push-service";

/** Creates a sender that reaches only a push service of this test. */
async function setUp(
  answer?: (path: string) => PushAnswer,
  different: { timeoutMs?: number; ca?: string } = {},
) {
  const service = removeAfterTest(await startPushService(answer));
  const clock = createTestClock();
  const { sender, options } = createWebPushSender(service, { clock, ...different });
  removeAfterTest(sender);
  const browser = createSubscription(service.endpoint("device"));
  const device = sender.readToken(browser.token);
  if (!device) throw new Error("The token was not read");
  return { service, sender, clock, options, browser, device, createDevice: () => device };
}

describePushSender("WebPushSender", setUp);

describe("WebPushSender", () => {
  it("delivers a message that only its device can decrypt, signed with our key", async () => {
    const { service, sender, clock, options, browser, device } = await setUp();
    expect(await sender.send(device, MESSAGE)).toMatchObject({ kind: "accepted", status: 201 });
    const { path, headers, body } = service.received[0]!;
    expect(path).toBe("/device");
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "259200", urgency: "normal" });
    expect(JSON.parse(decrypt(body, browser))).toEqual(MESSAGE);
    expect(() => decrypt(body, createSubscription())).toThrow();
    const claims = { key: options.publicKey, sub: options.contact, aud: `https://${service.host}` };
    const exp = (clock() + hours(12)) / 1000;
    expect(vapidClaims(headers.authorization ?? "")).toEqual({ ...claims, exp });
  });

  // R10, C22, C39
  it.each<[number, { body?: string; headers?: Record<string, string> }, object]>([
    [200, {}, { kind: "accepted" }],
    [404, {}, { kind: "gone" }],
    [410, { body: "subscription\nhas expired" }, { kind: "gone", detail: "subscription has expired" }],
    [400, {}, { kind: "refused" }],
    [413, {}, { kind: "refused" }],
    [401, {}, { kind: "unauthorized" }],
    [403, {}, { kind: "unauthorized" }],
    [429, { headers: { "Retry-After": "90" } }, { kind: "deferred", retryAfterMs: 90_000 }],
    [429, {}, { kind: "deferred", retryAfterMs: undefined }],
    [500, {}, { kind: "deferred" }],
    [503, { headers: { "Retry-After": "soon" } }, { kind: "deferred", retryAfterMs: undefined }],
    [302, { headers: { Location: "https://127.0.0.1/" } }, { kind: "refused" }],
  ])("interprets %i with %j after one request", async (status, response, outcome) => {
    const { service, sender, device } = await setUp(() => ({ status, ...response }));
    expect(await sender.send(device, MESSAGE)).toMatchObject({ status, ...outcome });
    expect(service.received).toHaveLength(1);
  });

  // C22
  it("connects to no private network and no foreign host", async () => {
    const { service, options } = await setUp();
    const hosts = createPushHosts([`localhost:${service.port}`]);
    const local = { ...options, hosts, transport: { ca: service.cert } };
    const { token } = createSubscription(`https://localhost:${service.port}/x`);
    const device = new WebPushSender(local).readToken(token)!;
    for (const [different, kind, detail] of [
      [{}, "unreachable", "localhost leads into a private network"],
      [{ hosts: createPushHosts([]) }, "unusable", "Not one of PUSH_ALLOWED_HOSTS"],
      [createVapidKeys(), "unusable", "Registered with other VAPID keys than ours"],
    ] as const) {
      const sender = new WebPushSender({ ...local, ...different });
      expect(await sender.send(device, MESSAGE)).toEqual({ kind, detail });
    }
    expect(service.connections()).toBe(0);
  });

  it("encrypts the longest message into the 4096 bytes that push services accept", async () => {
    const { service, sender, browser, device } = await setUp();
    await sender.send(device, createLongest());
    const { body } = service.received[0]!;
    expect(body).toHaveLength(4096);
    expect(JSON.parse(decrypt(body, browser))).toEqual(createLongest());
  });

  it("reuses at most fifty connections, and its signature for some hours", async () => {
    const { service, sender, clock, device } = await setUp();
    await Promise.all(Array.from({ length: 120 }, () => sender.send(device, MESSAGE)));
    await sender.send(device, MESSAGE);
    expect(service.connections()).toBeLessThanOrEqual(50);
    const signatures = () => new Set(service.received.map(({ headers }) => headers.authorization)).size;
    expect(signatures()).toBe(1);
    clock.forward(hours(6));
    await sender.send(device, MESSAGE);
    expect(signatures()).toBe(2);
  });
});
