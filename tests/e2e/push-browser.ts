import type { BrowserContext, CDPSession, Page } from "@playwright/test";
import { createSubscription } from "../factories/push";

/**
 * Chromium in a test knows no push service, so what speaks to one is replaced: subscribing (kept in the storage, as a browser
 * keeps it for all its tabs) and the browser's question, which grants for real. Worker, messages and notifications are its own.
 */
export async function stubPushService(
  context: BrowserContext,
  token = createSubscription().token,
): Promise<void> {
  await context.exposeFunction("grantNotifications", () => context.grantPermissions(["notifications"]));
  await context.addInitScript((token) => {
    const KEPT = "test_subscription";
    const bytesOf = (key: string) =>
      Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0))
        .buffer;
    const textOf = (key: string | Uint8Array) =>
      typeof key === "string"
        ? key
        : btoa(String.fromCharCode(...key))
            .replaceAll("+", "-")
            .replaceAll("/", "_")
            .replace(/=+$/, "");
    const { endpoint, keys } = JSON.parse(token) as { endpoint: string; keys: Record<string, string> };
    const made = (key: string) => ({
      toJSON: () => JSON.parse(token),
      endpoint,
      getKey: (name: string) => bytesOf(keys[name]!),
      options: { applicationServerKey: bytesOf(key), userVisibleOnly: true },
      unsubscribe: async () => (localStorage.removeItem(KEPT), true),
    });
    const { prototype } = PushManager;
    Object.assign(prototype, {
      getSubscription: async () => {
        const key = localStorage.getItem(KEPT);
        return key ? made(key) : null;
      },
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string | Uint8Array }) => {
        localStorage.setItem(KEPT, textOf(applicationServerKey));
        return made(textOf(applicationServerKey));
      },
    });
    Notification.requestPermission = async () => {
      await (window as unknown as { grantNotifications(): Promise<void> }).grantNotifications();
      return Notification.permission;
    };
  }, token);
}

/** What the page keeps about push. */
export const pushStorage = (page: Page) =>
  page.evaluate(() => ({
    initialized: localStorage.getItem("fcm_initialized"),
    userId: localStorage.getItem("fcm_userId"),
  }));

/**
 * Delivers a message to the push worker as a push service would. Call it before the worker is registered.
 * @returns what delivers, and what the worker has complained of so far.
 */
export async function pushMessages(page: Page) {
  const errors: string[] = [];
  const session: CDPSession = await page.context().newCDPSession(page);
  const registrations: { registrationId: string; scopeURL: string }[] = [];
  session.on("ServiceWorker.workerRegistrationUpdated", (event) =>
    registrations.push(...event.registrations),
  );
  session.on("ServiceWorker.workerErrorReported", (event) => errors.push(event.errorMessage.errorMessage));
  await session.send("ServiceWorker.enable");
  const push = async (data: string) => {
    const registration = registrations.at(-1);
    if (!registration) throw new Error("No push worker was registered");
    const { origin } = new URL(registration.scopeURL);
    await session.send("ServiceWorker.deliverPushMessage", {
      origin,
      registrationId: registration.registrationId,
      data,
    });
  };
  return { push, errors };
}

/** Titles and texts of the notifications that stand on the desktop. */
export const notifications = (page: Page) =>
  page.evaluate(async () => {
    const [registration] = await navigator.serviceWorker.getRegistrations();
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body }) => ({ title, body }));
  });
