import { days } from "~/lib/durations";
import type { Page } from "@playwright/test";
import { readRows } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import {
  enableButton,
  listNotifications,
  listWorkers,
  openPushChannel,
  readAlert,
  readPushStorage,
  SET_UP_FAILED,
  stubPushService,
} from "./push-browser";
import { expectNothingFound } from "./axe";
import { expect, test, openLanding, showInterest } from "./product";

const DENIED =
  "Notification permission denied. Please enable notifications in your browser settings to receive updates.";
const listDevices = (product: ServerProcess) => readRows(product, "select * from devices");

function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  return errors;
}

test("a browser that cannot ask for permission says so, and can try again @js", async ({ context }) => {
  const page = await context.newPage();
  const errors = collectErrors(page);
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "default" });
    Notification.requestPermission = () => Promise.reject(new Error("It could not ask"));
  });
  await openLanding(page);
  expect(await readAlert(page, () => enableButton(page).click())).toBe(
    "Failed to enable notifications. Please try again.",
  );
  await expect(enableButton(page)).toBeEnabled();
  expect(errors).toEqual(["It could not ask"]);
});

test.describe("push messages @push", () => {
  test("are requested, registered and shown by an open page or the worker", async ({ page, product }) => {
    await stubPushService(page.context());
    const { push, errors } = await openPushChannel(page);
    await openLanding(page);
    await expect(enableButton(page)).toBeVisible();
    await expectNothingFound(page, "the card that asks");
    await enableButton(page).click();
    await expect(page.getByText("Notifications are on.")).toBeVisible();
    const { userId, ...kept } = await readPushStorage(page);
    expect(kept).toEqual({ initialized: "true" });
    expect(listDevices(product)).toMatchObject([
      {
        uid: userId,
        app_type: "confer-landing",
        kind: "webpush",
        scope: "/firebase-cloud-messaging-push-scope",
      },
    ]);
    expect(await listWorkers(page)).toEqual([
      [`${product.origin}/firebase-cloud-messaging-push-scope`, `${product.origin}/firebase-messaging-sw.js`],
    ]);

    const toast = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Dismiss" }) });
    await push(JSON.stringify({ notification: { title: "The beta opens", body: "Come <b>in</b>" } }));
    const first = toast.filter({ hasText: "The beta opens" });
    await expect(first).toContainText("Come <b>in</b>");
    // At the top right of a small screen, at the bottom right of others.
    for (const [width, height, edge] of [
      [360, 740, "top"],
      [1280, 800, "bottom"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(async () => {
        const box = (await first.boundingBox())!;
        const below = height - box.y - box.height;
        expect(width - box.x - box.width).toBeLessThan(32);
        expect([edge, (edge === "top" ? box.y : below) < 32]).toEqual([edge, true]);
      }).toPass();
    }
    await push("no JSON");
    const second = toast.filter({ hasText: "New Notification" });
    await expect(second).toContainText("You have a new message");
    expect(await listNotifications(page)).toEqual([]);
    await expectNothingFound(page, "two messages");
    await first.getByRole("button", { name: "Dismiss" }).click();
    await expect(toast).toHaveCount(1);

    // This page shows no messages, so the worker does.
    await page.goto("/robots.txt");
    await push(JSON.stringify({ notification: { title: "Away", body: "Nobody looks" }, link: "/contact" }));
    await expect.poll(() => listNotifications(page)).toEqual([{ title: "Away", body: "Nobody looks" }]);
    expect(errors).toEqual([]);
    const [serviceWorker] = page.context().serviceWorkers();
    /** Presses the notification; returns the address it opens. */
    const press = () =>
      serviceWorker?.evaluate(`(async () => {
        const [notification] = await self.registration.getNotifications();
        return new Promise((resolve) => {
          self.clients.openWindow = resolve;
          self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
        });
      })()`);
    expect(await press()).toBe(`${product.origin}/contact`);
    await expect.poll(() => listNotifications(page)).toEqual([]);
    await push(JSON.stringify({ notification: { title: "Without a link" } }));
    await expect.poll(() => listNotifications(page)).toMatchObject([{ title: "Without a link" }]);
    expect(await press()).toBe(`${product.origin}/`);
    await expect.poll(() => listNotifications(page)).toEqual([]);

    // The next visit changes nothing; another visitor in the same browser takes the device over.
    await Promise.all([page.waitForResponse("**/api/visitor"), openLanding(page)]);
    await expect(enableButton(page)).toHaveCount(0);
    expect(await readPushStorage(page)).toEqual({ ...kept, userId });
    await page.context().clearCookies();
    await Promise.all([page.waitForResponse("**/api/DeviceToken"), openLanding(page)]);
    await expect.poll(async () => [userId, null].includes((await readPushStorage(page)).userId)).toBe(false);
    const { userId: other } = await readPushStorage(page);
    expect(listDevices(product)).toMatchObject([{ uid: other }]);
  });

  test("are registered once by two tabs that open at the same moment", async ({ context, product }) => {
    await stubPushService(context);
    await context.grantPermissions(["notifications"]);
    const saved: string[] = [];
    context.on(
      "request",
      (request) => request.url().endsWith("/api/DeviceToken") && saved.push(request.url()),
    );
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    const { push } = await openPushChannel(tabs[0]);
    await Promise.all(tabs.map((tab) => openLanding(tab)));
    await expect.poll(async () => (await readPushStorage(tabs[0])).initialized).toBe("true");
    // Both are set up when both show a message; the second waits a second for the first.
    await expect(async () => {
      await push("");
      for (const tab of tabs)
        await expect(tab.getByText("New Notification").first()).toBeVisible({ timeout: 500 });
    }).toPass();
    expect(saved).toHaveLength(1);
    expect(listDevices(product)).toHaveLength(1);
  });

  test("are requested beside the scroll buttons, for 30 days only once", async ({ page }) => {
    await openLanding(page);
    await expect(enableButton(page)).toBeVisible();
    for (const [width, height] of [
      [360, 740],
      [740, 360],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.scrollTo(0, 400));
      const up = await page.getByRole("button", { name: "Scroll to top" }).boundingBox();
      const card = await page.getByRole("complementary").boundingBox();
      expect(card!.x + card!.width).toBeLessThanOrEqual(up!.x + 1);
      expect(card!.y).toBeGreaterThan(0);
      // The window's corner, but for the margin of the scroll buttons.
      expect(width - card!.x - card!.width).toBeLessThanOrEqual(48);
      expect(height - card!.y - card!.height).toBeLessThanOrEqual(32);
    }
    // Never over the form nor, on a page zoomed to twice its size, over the headline.
    await page.getByLabel("Message").scrollIntoViewIfNeeded();
    await expect(enableButton(page)).toBeHidden();
    await page.locator("#features").scrollIntoViewIfNeeded();
    await page.setViewportSize({ width: 640, height: 400 });
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
    await expect(enableButton(page)).toBeHidden();
    await page.evaluate(() => window.scrollTo({ top: 1200, behavior: "instant" }));
    await expect(enableButton(page)).toBeVisible();

    await page.getByRole("complementary").getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press("Escape");
    await expect(enableButton(page)).toHaveCount(0);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.reload({ waitUntil: "networkidle" });
    await expect(enableButton(page)).toHaveCount(0);
    expect(requests.filter((url) => /prompt|registered|\/api\//.test(url))).toEqual([]);

    // A month later.
    await page.clock.install({ time: Date.now() + days(31) });
    await page.reload();
    await showInterest(page);
    await expect(enableButton(page)).toBeVisible();

    // In a browser without push nothing happens.
    await page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
    requests.length = 0;
    await page.reload({ waitUntil: "networkidle" });
    await expect(enableButton(page)).toHaveCount(0);
    expect(requests.filter((url) => /prompt|registered|\/api\//.test(url))).toEqual([]);
  });

  test("show where to allow them when the browser refuses", async ({ page, product }) => {
    await openLanding(page);
    expect(await readAlert(page, () => enableButton(page).click())).toBe(DENIED);
    await expect(enableButton(page)).toHaveCount(0);
    expect(listDevices(product)).toEqual([]);
  });

  test("report a failed registration, store nothing and can be tried again", async ({ context, product }) => {
    await stubPushService(context);
    const page = await context.newPage();
    const errors = collectErrors(page);
    const { push } = await openPushChannel(page);
    const fail = () =>
      page.route("**/api/DeviceToken", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await fail();
    await openLanding(page);
    expect(await readAlert(page, () => enableButton(page).click())).toBe(SET_UP_FAILED);
    expect(await readPushStorage(page)).toEqual({ initialized: null, userId: null });
    await enableButton(page).click();
    await expect(page.getByText("Notifications are on.")).toBeVisible();
    expect(listDevices(product)).toHaveLength(1);
    expect(errors).toEqual(["Failed to save token"]);

    // A registered browser reports the same failure only in its console, and shows no messages.
    await page.goto("/robots.txt");
    await page.evaluate(() => localStorage.removeItem("fcm_registration"));
    errors.length = 0;
    await fail();
    await openLanding(page);
    await expect.poll(() => errors).toEqual(["Failed to save token"]);
    await push(JSON.stringify({ notification: { title: "Away", body: "Nobody listens" } }));
    await expect.poll(() => listNotifications(page)).toEqual([{ title: "Away", body: "Nobody listens" }]);
    await expect(page.getByText("Nobody listens")).toHaveCount(0);
  });

  test("leave it to the next page to register when the script is gone, as after a deploy", async ({
    context,
    product,
  }) => {
    await stubPushService(context);
    const page = await context.newPage();
    await openPushChannel(page);
    await openLanding(page);
    await page.route(/\/registered-.*\.js$/, (route) => route.fulfill({ status: 404 }));
    await enableButton(page).click();
    await expect(enableButton(page)).toHaveCount(0);
    expect(listDevices(product)).toEqual([]);
    await page.unroute(/\/registered-.*\.js$/);
    await openLanding(page);
    await expect.poll(() => listDevices(product)).toHaveLength(1);
  });

  test("wait ten seconds for the worker", async ({ context }) => {
    await stubPushService(context);
    const page = await context.newPage();
    const errors = collectErrors(page);
    await page.clock.install();
    await page.addInitScript(() => {
      const installing = Object.assign(new EventTarget(), { state: "installing" });
      navigator.serviceWorker.register = async () => {
        Object.assign(window, { hasBegun: true });
        return { active: null, installing } as unknown as ServiceWorkerRegistration;
      };
    });
    await openLanding(page);
    await expect(enableButton(page)).toBeVisible();
    await page.clock.pauseAt(Date.now() + 60_000);
    const alert = readAlert(page, async () => {
      await enableButton(page).click();
      await expect.poll(() => page.evaluate(() => "hasBegun" in window)).toBe(true);
      await page.clock.runFor(9999);
      expect(errors).toEqual([]);
      await page.clock.runFor(1);
    });
    expect(await alert).toBe(SET_UP_FAILED);
    expect(errors).toEqual(["The push service worker was not ready in time"]);
  });
});
