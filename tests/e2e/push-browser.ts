import type { BrowserContext, Page } from "@playwright/test";
import { createSubscription } from "../factories/push";

/**
 * Replaces subscribing and asking for permission, because Chromium in a test has no push service. The subscription is in
 * localStorage, so that all tabs share it. Worker, messages and notifications are the browser's own.
 */
export async function stubPushService(
  context: BrowserContext,
  token = createSubscription().token,
): Promise<void> {
  await context.exposeFunction("grantNotifications", () => context.grantPermissions(["notifications"]));
  await context.addInitScript((token) => {
    const STORAGE_KEY = "test_subscription";
    const toBytes = (key: string) =>
      Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
        character.charCodeAt(0),
      ).buffer;
    const toText = (key: string | Uint8Array) =>
      typeof key === "string"
        ? key
        : btoa(String.fromCharCode(...key))
            .replaceAll("+", "-")
            .replaceAll("/", "_")
            .replace(/=+$/, "");
    const { endpoint, keys } = JSON.parse(token) as { endpoint: string; keys: Record<string, string> };
    const toSubscription = (key: string) => ({
      toJSON: () => JSON.parse(token),
      endpoint,
      getKey: (name: string) => toBytes(keys[name]!),
      options: { applicationServerKey: toBytes(key), userVisibleOnly: true },
      unsubscribe: async () => (localStorage.removeItem(STORAGE_KEY), true),
    });
    const { prototype } = PushManager;
    Object.assign(prototype, {
      getSubscription: async () => {
        const key = localStorage.getItem(STORAGE_KEY);
        return key ? toSubscription(key) : null;
      },
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string | Uint8Array }) => {
        localStorage.setItem(STORAGE_KEY, toText(applicationServerKey));
        return toSubscription(toText(applicationServerKey));
      },
    });
    Notification.requestPermission = async () => {
      await (window as unknown as { grantNotifications(): Promise<void> }).grantNotifications();
      return Notification.permission;
    };
  }, token);
}

export const SET_UP_FAILED =
  "Failed to set up notifications. Please ensure you're using a supported browser and try again.";

export const enableButton = (page: Page) => page.getByRole("button", { name: "Enable Notifications" });

/** Does something that opens an alert of the browser, and returns its text. */
export async function readAlert(page: Page, work: () => Promise<void>): Promise<string> {
  const dismissed = page.waitForEvent("dialog").then(async (dialog) => {
    await dialog.dismiss();
    return dialog.message();
  });
  await work();
  return dismissed;
}

/** Reads what the page stores about push. */
export const readPushStorage = (page: Page) =>
  page.evaluate(() => ({
    initialized: localStorage.getItem("fcm_initialized"),
    userId: localStorage.getItem("fcm_userId"),
  }));

/**
 * Delivers messages to the push worker as a push service would. Call it before the worker is registered.
 * @returns the function that delivers a message, and the worker's errors so far.
 */
export async function openPushChannel(page: Page) {
  const errors: string[] = [];
  const session = await page.context().newCDPSession(page);
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
    const { registrationId } = registration;
    await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  };
  return { push, errors };
}

/** Lists the registered service workers as [scope, script]. */
export const listWorkers = (page: Page) =>
  page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    return registrations.map(({ scope, active }) => [scope, active?.scriptURL]);
  });

/** Lists the titles and texts of the notifications that the browser shows. */
export const listNotifications = (page: Page) =>
  page.evaluate(async () => {
    const [registration] = await navigator.serviceWorker.getRegistrations();
    const shown = (await registration?.getNotifications()) ?? [];
    return shown.map(({ title, body }) => ({ title, body }));
  });
