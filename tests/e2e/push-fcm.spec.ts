import { getFcmEnvironment, createRegistrationToken } from "../factories/firebase";
import { startGoogle, type Google } from "../fakes/google";
import { readRows } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import { answerPagesAsGoogle } from "./google-browser";
import { expect, holdBack, test as base, openLanding, showInterest } from "./product";
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

async function startFirebase() {
  const google = await startGoogle();
  return { google, environment: getFcmEnvironment(google) };
}

let started: ReturnType<typeof startFirebase> | undefined;
/** The journeys' Google: they share it, and so products. */
const getFirebase = () => (started ??= startFirebase());

/** The product with Firebase as its push engine. */
const test = base.extend<{ google: Google }>({
  google: async ({}, use) => use((await getFirebase()).google),
  settings: async ({}, use) => use((await getFirebase()).environment),
});
// One after the other, on one server.
test.describe.configure({ mode: "default" });
test.afterAll(async () => {
  await (await started)?.google.close();
  started = undefined;
});

const listDevices = (product: ServerProcess) => readRows(product, "select * from devices");

test.describe("push messages by Firebase @push", () => {
  // C16
  test("are requested, registered with an anonymous sign-in, and shown by our own worker", async ({
    page,
    product,
    google,
  }) => {
    await stubPushService(page.context());
    const token = createRegistrationToken();
    const { calls } = await answerPagesAsGoogle(page.context(), google, token);
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(request.url()));
    const { push, errors } = await openPushChannel(page);

    // Nothing of Firebase is loaded before the visitor agrees.
    await openLanding(page);
    await page.waitForLoadState("networkidle");
    await expect(enableButton(page)).toBeVisible();
    expect(calls).toEqual([]);
    expect(fetched.filter((url) => /fcm-engine|firebase/.test(url))).toEqual([]);

    await enableButton(page).click();
    await expect(page.getByText("Notifications are on.")).toBeVisible();
    expect(fetched.filter((url) => /fcm-engine/.test(url))).toHaveLength(1);
    expect(new Set(calls.map(({ host }) => host))).toEqual(
      new Set([
        "identitytoolkit.googleapis.com",
        "securetoken.googleapis.com",
        "firebaseinstallations.googleapis.com",
        "fcmregistrations.googleapis.com",
      ]),
    );
    const registration = calls.find(({ host }) => host === "fcmregistrations.googleapis.com");
    expect(registration?.headers["x-goog-firebase-installations-auth"]).toBe("FIS installation-token");
    expect(JSON.parse(registration?.body ?? "{}")).toMatchObject({
      web: {
        endpoint: expect.stringContaining("https://"),
        p256dh: expect.any(String),
        auth: expect.any(String),
      },
    });
    expect(await readPushStorage(page)).toEqual({ initialized: "true", userId: "visitor-1" });
    // The server verified the ID token that the fake Google signed.
    expect(listDevices(product)).toMatchObject([
      { uid: "visitor-1", token, kind: "fcm", scope: "/firebase-cloud-messaging-push-scope" },
    ]);
    expect(await listWorkers(page)).toEqual([
      [`${product.origin}/firebase-cloud-messaging-push-scope`, `${product.origin}/firebase-messaging-sw.js`],
    ]);

    // Delivered as by FCM, with and without the page open.
    const delivered = (title: string) => ({
      from: "1234567890",
      fcmMessageId: "1",
      priority: "normal",
      data: { link: "/contact" },
      notification: { title, body: "Come in", tag: "one" },
    });
    await push(JSON.stringify(delivered("The beta opens")));
    await expect(page.getByRole("listitem").filter({ hasText: "The beta opens" })).toContainText("Come in");
    await page.goto("/robots.txt");
    // One tag: the second replaces the first once that is shown; of two at the same moment either may be last.
    for (const title of ["First", "Second"]) {
      await push(JSON.stringify(delivered(title)));
      await expect.poll(() => listNotifications(page)).toEqual([{ title, body: "Come in" }]);
    }
    const shown = await page.evaluate(async () => {
      const [registration] = await navigator.serviceWorker.getRegistrations();
      return (await registration?.getNotifications())?.map(({ data, tag }) => [data.link, tag]);
    });
    expect(shown).toEqual([[`${product.origin}/contact`, "one"]]);
    expect(errors).toEqual([]);

    // The next visit is the same visitor, without another sign-up.
    calls.length = 0;
    await openLanding(page);
    await expect.poll(() => calls.map(({ path }) => path)).toContain("/v1/token");
    await page.waitForLoadState("networkidle");
    expect(calls.map(({ path }) => path)).not.toContain("/v1/accounts:signUp");
    expect(await readPushStorage(page)).toEqual({ initialized: "true", userId: "visitor-1" });
    expect(listDevices(product)).toHaveLength(1);
  });

  test("report a failed registration at Google, store nothing and can be tried again", async ({
    context,
    product,
    google,
  }) => {
    await stubPushService(context);
    await answerPagesAsGoogle(context, google, createRegistrationToken());
    const page = await context.newPage();
    await page.route("https://fcmregistrations.googleapis.com/**", (route) => route.abort(), { times: 1 });
    await openLanding(page);
    expect(await readAlert(page, () => enableButton(page).click())).toBe(SET_UP_FAILED);
    expect(await readPushStorage(page)).toEqual({ initialized: null, userId: null });
    expect(listDevices(product)).toEqual([]);
    await enableButton(page).click();
    await expect(page.getByText("Notifications are on.")).toBeVisible();
    expect(listDevices(product)).toMatchObject([{ uid: "visitor-1", kind: "fcm" }]);
  });

  test("replace a subscription of our other engine", async ({ context, google }) => {
    await stubPushService(context);
    const { calls } = await answerPagesAsGoogle(context, google, createRegistrationToken());
    await context.grantPermissions(["notifications"]);
    const page = await context.newPage();
    await page.addInitScript(() => {
      if (!localStorage.getItem("seen")) localStorage.setItem("test_subscription", "BOldKey");
      localStorage.setItem("seen", "yes");
    });
    await openLanding(page);
    await expect.poll(async () => (await readPushStorage(page)).initialized).toBe("true");
    const key = await page.evaluate(() => localStorage.getItem("test_subscription"));
    expect(key).toMatch(/^B[\w-]{86}$/);
    expect(calls.filter(({ host }) => host === "fcmregistrations.googleapis.com")).toHaveLength(1);
  });
});

test.describe("analytics by Firebase @push", () => {
  test.use({
    settings: async ({}, use) =>
      use({ ...(await getFirebase()).environment, FIREBASE_MEASUREMENT_ID: "G-1A2B3C4D5E" }),
  });

  // C16
  test("count no visitor without consent, and stop when it is withdrawn", async ({ page, google }) => {
    await stubPushService(page.context());
    const { calls } = await answerPagesAsGoogle(page.context(), google, createRegistrationToken());
    const analyticsCalls = () =>
      calls.map(({ host }) => host).filter((host) => /^firebase\.|tagmanager|google-analytics/.test(host));
    const consent = page.getByRole("checkbox", { name: /Google Analytics/ });
    await openLanding(page);
    await expect(consent).not.toBeChecked();
    await enableButton(page).click();
    await expect(page.getByText("Notifications are on.")).toBeVisible();
    await page.reload({ waitUntil: "networkidle" });
    expect(analyticsCalls()).toEqual([]);

    // Leaves the page first: it may be registering, and would find the permission gone.
    await page.goto("about:blank");
    await page.context().clearPermissions();
    await openLanding(page);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await showInterest(page);
    await consent.check();
    await enableButton(page).click();
    await expect(page.getByText("Google Analytics counts your visits, as you agreed.")).toBeVisible();
    await expect.poll(analyticsCalls).toEqual(["firebase.googleapis.com", "www.googletagmanager.com"]);
    await page.waitForFunction(() => "tagRan" in window);

    // The next visit is counted too, until the visitor withdraws the consent, in whichever tab.
    calls.length = 0;
    await page.reload();
    await expect.poll(analyticsCalls).toContain("www.googletagmanager.com");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Stop counting" }).click();
    for (const tab of [other, page]) {
      await expect(tab.getByText("Google Analytics no longer counts your visits.")).toBeVisible();
    }
    await other.close();
    calls.length = 0;
    await page.reload({ waitUntil: "networkidle" });
    await expect(page.getByText("Google Analytics")).toHaveCount(0);
    expect(analyticsCalls()).toEqual([]);
  });

  test("never begin when the consent is withdrawn before their script has come", async ({ page, google }) => {
    await stubPushService(page.context());
    const { calls } = await answerPagesAsGoogle(page.context(), google, createRegistrationToken());
    await openLanding(page);
    await page.getByRole("checkbox", { name: /Google Analytics/ }).check();
    const release = await holdBack(page, "**/analytics.client*.js");
    await enableButton(page).click();
    await page.getByRole("button", { name: "Stop counting" }).click();
    await expect(page.getByText("Google Analytics no longer counts your visits.")).toBeVisible();
    const arrived = page.waitForResponse(/analytics\.client/);
    release();
    await (await arrived).finished();
    await page.waitForLoadState("networkidle");
    expect(calls.map(({ host }) => host)).not.toContain("www.googletagmanager.com");
  });
});
