import { describe, expect, it } from "vitest";
import { hours, minutes } from "~/lib/durations";
import { WebPushSender } from "~/services/push/drivers/web-push-sender.server";
import { createPushHosts } from "~/services/push/push-hosts";
import { MAX_MESSAGE_BYTES } from "~/services/push/push-sender";
import type { PushMessage } from "~/services/push/push-sender";
import { useCleanups } from "../cleanups";
import { createSubscription, createVapidKeys } from "../factories/push";
import { createTestClock } from "../factories/time";
import { decrypt, PUSH_NAME, startPushService, vapidClaims } from "../fakes/push-service";
import type { PushAnswer } from "../fakes/push-service";

const later = useCleanups();

const MESSAGE: PushMessage = { notification: { title: "The beta opens", body: "Come in, 世界" }, tag: "one" };

/** A sender that knows nobody but a push service of this test, and takes its name for this machine. */
async function webPush(
  answer?: (path: string) => PushAnswer,
  different: { timeoutMs?: number; ca?: string } = {},
) {
  const service = await startPushService(answer);
  const clock = createTestClock();
  const keys = createVapidKeys();
  const sender = new WebPushSender({
    ...keys,
    clock,
    contact: "mailto:hello@example.com",
    hosts: createPushHosts([`${PUSH_NAME}:${service.port}`]),
    transport: { ca: service.cert, resolve: () => ({ address: "127.0.0.1", family: 4 }), ...different },
  });
  later(service.close);
  later(() => sender.close());
  const deviceAt = (path: string) => {
    const browser = createSubscription(service.endpoint(path));
    const device = sender.readToken(browser.token);
    if (!device) throw new Error("The token was not read");
    return { browser, device };
  };
  return { service, sender, clock, keys, deviceAt };
}

describe("webpush", () => {
  it("delivers a message that only its device can read, signed by us", async () => {
    const { service, sender, clock, keys, deviceAt } = await webPush();
    const { browser, device } = deviceAt("device-1");
    expect(await sender.send(device, MESSAGE)).toMatchObject({ kind: "accepted", status: 201 });
    const [only] = service.received;
    expect(only?.path).toBe("/device-1");
    expect(only?.headers).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "259200",
      urgency: "normal",
    });
    expect(JSON.parse(decrypt(only?.body ?? Buffer.alloc(0), browser))).toEqual(MESSAGE);
    expect(() => decrypt(only?.body ?? Buffer.alloc(0), createSubscription())).toThrow();
    expect(vapidClaims(only?.headers.authorization ?? "")).toEqual({
      key: keys.publicKey,
      sub: "mailto:hello@example.com",
      aud: `https://${PUSH_NAME}:${service.port}`,
      exp: (clock() + hours(12)) / 1000,
    });
  });

  it("says of the devices it reads what is stored of them, and knows no other token", async () => {
    const { sender, keys, deviceAt } = await webPush();
    const { browser, device } = deviceAt("device-1");
    expect(device).toEqual({
      token: browser.token,
      endpoint: browser.endpoint,
      auth: browser.auth.toString("base64url"),
      p256dh: expect.any(String),
      public_key: keys.publicKey,
    });
    expect(sender.readToken(createSubscription().token)).toBeUndefined();
    expect(sender.readToken("an-fcm-token")).toBeUndefined();
  });

  const endings: [PushAnswer & object, object][] = [
    [{ status: 200 }, { kind: "accepted", status: 200 }],
    [{ status: 404 }, { kind: "gone", status: 404 }],
    [
      { status: 410, body: "push subscription\nhas expired" },
      { kind: "gone", detail: "push subscription has expired" },
    ],
    [{ status: 400 }, { kind: "refused", status: 400 }],
    [{ status: 413 }, { kind: "refused", status: 413 }],
    [{ status: 401 }, { kind: "unauthorized", status: 401 }],
    [{ status: 403 }, { kind: "unauthorized", status: 403 }],
    [
      { status: 429, headers: { "Retry-After": "90" } },
      { kind: "deferred", status: 429, retryAfterMs: 90_000 },
    ],
    [{ status: 429 }, { kind: "deferred", retryAfterMs: undefined }],
    [{ status: 500 }, { kind: "deferred", status: 500 }],
    [
      { status: 503, headers: { "Retry-After": "soon" } },
      { kind: "deferred", retryAfterMs: undefined },
    ],
    [
      { status: 302, headers: { Location: "https://127.0.0.1/" } },
      { kind: "refused", status: 302 },
    ],
  ];
  it.each(endings)("tells %j for what it is, after one request (R10, C22, C39)", async (answer, outcome) => {
    const { service, sender, deviceAt } = await webPush(() => answer);
    expect(await sender.send(deviceAt("device").device, MESSAGE)).toMatchObject(outcome);
    expect(service.received).toHaveLength(1);
  });

  it("reads a Retry-After that is a date, also one that is over (R10)", async () => {
    let date = "";
    const { sender, clock, deviceAt } = await webPush(() => ({
      status: 503,
      headers: { "Retry-After": date },
    }));
    const { device } = deviceAt("device");
    date = new Date(clock() + minutes(5)).toUTCString();
    expect(await sender.send(device, MESSAGE)).toMatchObject({ retryAfterMs: minutes(5) });
    date = new Date(clock() - minutes(5)).toUTCString();
    expect(await sender.send(device, MESSAGE)).toMatchObject({ retryAfterMs: 0 });
  });

  it("does not know what became of a message that got no answer", async () => {
    const { sender, deviceAt } = await webPush((path) => (path === "/drop" ? "drop" : "silent"), {
      timeoutMs: 200,
    });
    expect(await sender.send(deviceAt("drop").device, MESSAGE)).toMatchObject({ kind: "unknown" });
    expect(await sender.send(deviceAt("silent").device, MESSAGE)).toEqual({
      kind: "unknown",
      detail: "The push service took too long",
    });
  });

  it("hands nothing to a service that is away, or that nobody vouches for (C22)", async () => {
    const { service, sender, deviceAt } = await webPush();
    const { device } = deviceAt("device");
    await service.close();
    expect(await sender.send(device, MESSAGE)).toMatchObject({ kind: "unreachable" });
    const other = await webPush(undefined, { ca: service.cert });
    expect(await other.sender.send(other.deviceAt("device").device, MESSAGE)).toMatchObject({
      kind: "unreachable",
    });
    expect(other.service.received).toEqual([]);
  });

  it("connects to no name that leads into a private network, and to none whose host or keys are not ours any more (C22)", async () => {
    const service = await startPushService();
    later(service.close);
    const hosts = createPushHosts([`localhost:${service.port}`]);
    const options = { ...createVapidKeys(), clock: createTestClock(), contact: "mailto:hello@example.com" };
    const sender = new WebPushSender({ ...options, hosts, transport: { ca: service.cert } });
    const device = sender.readToken(createSubscription(`https://localhost:${service.port}/x`).token);
    const send = (by: WebPushSender) => device && by.send(device, MESSAGE);
    expect(await send(sender)).toEqual({
      kind: "unreachable",
      detail: "localhost leads into a private network",
    });
    const narrower = new WebPushSender({ ...options, hosts: createPushHosts([]) });
    expect(await send(narrower)).toEqual({ kind: "unusable", detail: "Not one of PUSH_ALLOWED_HOSTS" });
    const otherKeys = new WebPushSender({
      ...options,
      ...createVapidKeys(),
      hosts,
      transport: { ca: service.cert },
    });
    expect(await send(otherKeys)).toEqual({
      kind: "unusable",
      detail: "Registered with other VAPID keys than ours",
    });
    expect(service.connections()).toBe(0);
  });

  it("sends the longest message there may be, and none longer", async () => {
    const { service, sender, deviceAt } = await webPush();
    const { browser, device } = deviceAt("device");
    const empty = JSON.stringify({ notification: { title: "", body: "" } });
    const long = (more: number) => ({
      notification: { title: "", body: "x".repeat(MAX_MESSAGE_BYTES - empty.length + more) },
    });
    expect(await sender.send(device, long(0))).toMatchObject({ kind: "accepted" });
    expect(service.received[0]?.body).toHaveLength(4096);
    expect(JSON.parse(decrypt(service.received[0]?.body ?? Buffer.alloc(0), browser))).toEqual(long(0));
    await expect(sender.send(device, long(1))).rejects.toThrow(RangeError);
  });

  it("keeps its connections, at most fifty, and its signature for some hours", async () => {
    const { service, sender, clock, deviceAt } = await webPush();
    const { device } = deviceAt("device");
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
