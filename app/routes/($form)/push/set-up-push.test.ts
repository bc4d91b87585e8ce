import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { days, seconds } from "~/lib/durations";
import { isStale, parseRecord, setUpPush } from "./set-up-push";
import { getPushPermission } from "./push-permission";

const SETTINGS = { engine: "webpush", publicKey: "BOurKey" } as const;

/** The requests that the server and the push service received. */
let asked: string[];
let subscribe: () => Promise<unknown>;

/** Simulates a browser with notification permission, a push service and our server. */
beforeEach(() => {
  asked = [];
  let made: object | null = null;
  subscribe = async () => (made = { endpoint: "https://push.example/1", options: {} });
  const pushManager = {
    getSubscription: async () => made,
    subscribe: () => {
      asked.push("subscribe");
      return subscribe();
    },
  };
  const permission = "granted";
  const notification = { permission, requestPermission: async () => permission };
  const kept = new Map<string, string>();
  vi.stubGlobal("Notification", notification);
  vi.stubGlobal("window", { Notification: notification, PushManager: {} });
  vi.stubGlobal("navigator", {
    locks: navigator.locks,
    serviceWorker: { register: async () => ({ active: {}, pushManager }) },
  });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
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
  ])("asks for nothing in a browser without %s", async (_, takeAway) => {
    expect(getPushPermission()).toBe("granted");
    takeAway();
    expect(getPushPermission()).toBe("none");
    await expect(setUpPush(SETTINGS)).rejects.toThrow(
      "Browser does not support notifications or service workers",
    );
    expect(asked).toEqual([]);
  });

  it("ends when no token comes, and nothing is kept", async () => {
    subscribe = async () => undefined;
    await expect(setUpPush(SETTINGS)).rejects.toThrow("No FCM token received");
    expect(asked).toEqual(["/api/visitor", "subscribe"]);
    expect(localStorage.getItem("fcm_initialized")).toBeNull();
  });

  it("leaves another set-up alone for 1000 ms, then finds its token", async () => {
    vi.useFakeTimers();
    const first = setUpPush(SETTINGS);
    const second = setUpPush(SETTINGS);
    const token = await first;
    const byTheFirst = ["/api/visitor", "subscribe", "/api/DeviceToken"];
    await vi.advanceTimersByTimeAsync(seconds(1) - 1);
    expect(asked).toEqual(byTheFirst);
    await vi.advanceTimersByTimeAsync(1);
    expect(await second).toBe(token);
    expect(asked).toEqual([...byTheFirst, "/api/visitor"]);
  });
});

describe("a registration", () => {
  const now = Date.UTC(2026, 10, 21);
  const record = { token: "token", createdAt: now - days(7) + 1 };

  it("holds for seven days and not a millisecond longer", () => {
    expect(isStale(record, "token", now)).toBe(false);
    expect(isStale(record, "token", now + 1)).toBe(true);
  });

  it.each([
    ["there is none", undefined],
    ["the token is another one", { ...record, token: "another" }],
    ["it is of the future, because the clock was set back", { ...record, createdAt: now + 1 }],
  ])("does not hold when %s", (_, other) => {
    expect(isStale(other, "token", now)).toBe(true);
  });

  it.each([null, "", "null", "[]", "{}", '{"token":1,"createdAt":1}', '{"token":"a"}'])(
    "is not read from what is none: %s",
    (text) => {
      expect(parseRecord(text)).toBeUndefined();
    },
  );

  it("is read as it was kept", () => {
    expect(parseRecord(JSON.stringify(record))).toEqual(record);
  });
});
