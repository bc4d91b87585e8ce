import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { days, seconds } from "~/lib/durations";
import { isStale, parseRecord, setUpPush } from "./set-up-push";
import { getPushPermission } from "./push-permission";

const SETTINGS = { engine: "webpush", publicKey: "BOurKey" } as const;

/** The requests that the server and the push service received. */
let requests: string[];
let subscribe: () => Promise<unknown>;

/** Simulates a browser with notification permission, a push service and our server. */
beforeEach(() => {
  requests = [];
  let subscription: object | null = null;
  subscribe = async () => (subscription = { endpoint: "https://push.example/1", options: {} });
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: () => {
      requests.push("subscribe");
      return subscribe();
    },
  };
  const permission = "granted";
  const notification = { permission, requestPermission: async () => permission };
  const storage = new Map<string, string>();
  vi.stubGlobal("Notification", notification);
  vi.stubGlobal("window", { Notification: notification, PushManager: {} });
  vi.stubGlobal("navigator", {
    locks: navigator.locks,
    serviceWorker: { register: async () => ({ active: {}, pushManager }) },
  });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal("fetch", async (path: string) => {
    requests.push(path);
    return Response.json({ uid: "visitor-1", idToken: "token" });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("setting up push", () => {
  it.each([
    ["notifications", () => Reflect.deleteProperty(window, "Notification")],
    ["push messages", () => Reflect.deleteProperty(window, "PushManager")],
    ["service workers", () => Reflect.deleteProperty(navigator, "serviceWorker")],
  ])("sends no request in a browser without %s", async (_, removeSupport) => {
    expect(getPushPermission()).toBe("granted");
    removeSupport();
    expect(getPushPermission()).toBe("none");
    await expect(setUpPush(SETTINGS)).rejects.toThrow(
      "Browser does not support notifications or service workers",
    );
    expect(requests).toEqual([]);
  });

  it("fails when the permission is denied, and sends no request", async () => {
    vi.stubGlobal("Notification", { permission: "default", requestPermission: async () => "denied" });
    await expect(setUpPush(SETTINGS)).rejects.toThrow(/^Notification permission denied$/);
    expect(requests).toEqual([]);
  });

  it("fails without a token, and stores nothing", async () => {
    subscribe = async () => undefined;
    await expect(setUpPush(SETTINGS)).rejects.toThrow("No FCM token received");
    expect(requests).toEqual(["/api/visitor", "subscribe"]);
    expect(localStorage.getItem("fcm_initialized")).toBeNull();
  });

  it("waits 1000 ms for another set-up, then finds its token", async () => {
    vi.useFakeTimers();
    const first = setUpPush(SETTINGS);
    const second = setUpPush(SETTINGS);
    const token = await first;
    const firstRequests = ["/api/visitor", "subscribe", "/api/DeviceToken"];
    await vi.advanceTimersByTimeAsync(seconds(1) - 1);
    expect(requests).toEqual(firstRequests);
    await vi.advanceTimersByTimeAsync(1);
    expect(await second).toBe(token);
    expect(requests).toEqual([...firstRequests, "/api/visitor"]);
  });
});

describe("a registration", () => {
  const now = Date.UTC(2026, 10, 21);
  const record = { token: "token", createdAt: now - days(7) + 1 };

  it("is valid for seven days", () => {
    expect(isStale(record, "token", now)).toBe(false);
    expect(isStale(record, "token", now + 1)).toBe(true);
  });

  it.each([
    ["there is none", undefined],
    ["the token is another one", { ...record, token: "another" }],
    ["it is in the future, because the clock was set back", { ...record, createdAt: now + 1 }],
  ])("is not valid when %s", (_, other) => {
    expect(isStale(other, "token", now)).toBe(true);
  });

  it.each([null, "", "null", "[]", "{}", '{"token":1,"createdAt":1}', '{"token":"a"}'])(
    "is not read from the invalid text %s",
    (text) => {
      expect(parseRecord(text)).toBeUndefined();
    },
  );

  it("is read as it was stored", () => {
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
  });
});
