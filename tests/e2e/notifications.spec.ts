import type { Page } from "@playwright/test";
import { seconds } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import { createPushNetwork, registerDevice } from "../factories/push-network";
import { createSubscription } from "../factories/push";
import { decrypt, startPushService, type PushAnswer } from "../fakes/push-service";
import { execute, readRows } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import { stubPushService } from "./push-browser";
import { test as base, expect, expectToBeTold, holdBack, openSignedIn } from "./product";

const ACCEPTED: PushAnswer = { status: 201 };

/** Starts a push service whose answer a test changes, and the settings with which a product reaches it. */
async function startPush() {
  const push = { answer: ACCEPTED };
  const service = await startPushService((path) => (path === "/gone" ? { status: 410 } : push.answer));
  return Object.assign(push, service, { network: createPushNetwork(service) });
}

let started: ReturnType<typeof startPush> | undefined;
/** The journeys' push service: they share it, and so a product. */
const getPush = () => (started ??= startPush());

const test = base.extend<{ push: Awaited<ReturnType<typeof startPush>> }>({
  push: async ({}, use) => {
    const push = await getPush();
    await use(push);
    push.answer = ACCEPTED;
    push.received.length = 0;
  },
  settings: async ({}, use) => use((await getPush()).network.environment),
});
// One after the other, on one server.
test.describe.configure({ mode: "default" });
test.afterAll(async () => {
  const push = await started;
  await push?.close();
  push?.network.remove();
  started = undefined;
});

const company = /^Select Company/;
const sendButton = (page: Page) => page.getByRole("button", { name: "Send Notification" }).last();

/** Fills in a notification to all users on the current page. */
async function fillIn(page: Page, title: string, message: string): Promise<void> {
  await page.getByRole("radio", { name: /^All users/i }).check();
  await page.getByLabel("Notification Title").fill(title);
  await page.getByLabel("Message", { exact: true }).fill(message);
}

test("an operator sends to all users and sees the result of each device", async ({
  page,
  product,
  push,
  javaScriptEnabled,
}) => {
  const browser = createSubscription(push.endpoint("here"));
  await registerDevice(product, browser.token);
  await registerDevice(product, createSubscription(push.endpoint("gone")).token);
  await openSignedIn(page, product, "/admin/dashboard");
  await page
    .getByRole("navigation", { name: "Back office" })
    .getByRole("link", { name: "Send Notifications" })
    .click();
  await expect(page.getByText("2 devices receive notifications.")).toBeVisible();
  await expect(page.getByText("No notifications yet")).toBeVisible();
  await fillIn(page, "The beta opens", "Come in, 世界");
  await page.getByLabel("Link").fill("/early-access");
  await sendButton(page).click();
  const question = page.getByRole("dialog", { name: "Send this notification?" });
  await expect(question).toContainText("It goes to 2 devices: All Users (both apps).");
  await expect(question).toContainText("Come in, 世界");
  await question.getByRole("button", { name: "Send Notification" }).click();
  // Without JavaScript only the notification's own page refreshes itself.
  if (javaScriptEnabled === false) await page.getByRole("link", { name: "See all devices" }).click();
  await expect(page.getByText("Successfully sent to 1 devices (1 failed)")).toBeVisible();
  if (javaScriptEnabled === false) await page.goto("/admin/notifications");
  // The form is a new one, and empty.
  await expect(page.getByLabel("Notification Title")).toHaveValue("");
  await expect(page.getByText("1 device receives notifications.")).toBeVisible();

  const [id] = readRows(product, "select id from broadcasts");
  const received = push.received.filter(({ path }) => path === "/here");
  expect(received.map(({ body }) => JSON.parse(decrypt(body, browser)))).toEqual([
    { notification: { title: "The beta opens", body: "Come in, 世界" }, link: "/early-access", tag: id?.id },
  ]);
  await page.getByRole("link", { name: "The beta opens" }).click();
  await expect(page.getByRole("heading", { name: "The beta opens", level: 1 })).toBeVisible();
  await page.getByRole("link", { name: /^Gone/ }).click();
  const rows = page.getByRole("table", { name: "Devices of this notification" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("push.example.com");
  await expect(rows.last()).toContainText("410");
});

test("companies are offered for the application audience only", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  execute(product, "insert into tenants values ('acme', 'Acme', 'acme.com', 1), ('z', 'Zed', '', 1)");
  await openSignedIn(page, product, "/admin/notifications");
  await expect(page.getByLabel(company)).toBeHidden();
  await page.getByLabel("Application users").check();
  await expect(page.getByLabel(company)).toBeVisible();
  await expect(page.getByLabel(company).locator("option")).toHaveText([
    "All Companies",
    "Acme (acme.com)",
    "Zed",
  ]);
  await page.getByLabel(company).selectOption("Zed");
  await page.getByLabel("Landing-page subscribers").check();
  await expect(page.getByLabel(company)).toBeHidden();
  if (javaScriptEnabled !== false) {
    await page.getByLabel("Application users").check();
    await expect(page.getByLabel(company)).toHaveValue("");
    await page.getByLabel("Landing-page subscribers").check();
  }

  const title = page.getByLabel("Notification Title");
  await expect(title).toHaveAttribute("required");
  await expect(page.getByLabel("Message", { exact: true })).toHaveAttribute("required");
  await title.fill("   ");
  await page.getByLabel("Message", { exact: true }).fill("Come in");
  await sendButton(page).click();
  await expect(page.getByText("Please enter the title.")).toBeVisible();
  await title.press("End");
  await title.pressSequentially("H");
  // With JavaScript an error disappears when it is corrected.
  await expect(page.getByText("Please enter the title.")).toHaveCount(javaScriptEnabled === false ? 1 : 0);
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Come in");
  await expect(page.getByLabel("Landing-page subscribers")).toBeChecked();
  await title.fill("Hello");
  await sendButton(page).click();
  await expectToBeTold(
    page,
    "Failed to send broadcast notification: no device of this audience is registered",
  );
});

test("a push service that refuses our keys stops a notification @js", async ({ page, product, push }) => {
  push.answer = { status: 403, body: "invalid JWT provided" };
  const names = ["one", "two", "three", "four", "five"];
  for (const name of names) await registerDevice(product, createSubscription(push.endpoint(name)).token);
  execute(product, "update devices set first_accepted_at = 1");
  await openSignedIn(page, product, "/admin/notifications");
  await fillIn(page, "Hello", "Come in");
  const ask = await holdBack(page, "**/admin/notifications.data*");
  await sendButton(page).click();
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  ask();
  const question = page.getByRole("dialog");
  await expect(question).toBeVisible();
  const send = await holdBack(page, "**/admin/notifications.data*");
  await question.getByRole("button", { name: "Send Notification" }).click();
  await expect(question.getByRole("button", { name: "Sending..." })).toBeDisabled();
  send();
  const failure = "Failed to send broadcast notification: invalid JWT provided";
  await expect(page.getByText(failure)).toBeVisible();
  await page.getByRole("link", { name: "See all devices" }).click();
  await expect(page.getByText(failure)).toBeVisible();
  await expect(page.getByText("The push service does not accept our keys.")).toBeVisible();
  push.answer = { status: 201 };
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Successfully sent to 5 devices")).toBeVisible();
});

/** Stores so many finished notifications that the history has two pages. */
function fillHistory(product: ServerProcess): void {
  for (let sent = 0; sent < 21; sent += 1) {
    execute(
      product,
      `insert into broadcasts (id, state, audience, tenant_name, title, body, link, created_by, created_at, touched_at)
       values (?, 'finished', 'all', '', 'Earlier', 'Come in', '', 'superadmin@example.com', 1, 1)`,
      newId(),
    );
  }
}

test("an operator writes the next notification while one is being sent", async ({
  page,
  product,
  push,
  javaScriptEnabled,
}) => {
  const hasScript = javaScriptEnabled !== false;
  push.answer = { status: 503 };
  fillHistory(product);
  await registerDevice(product, createSubscription(push.endpoint("slow")).token);
  // Time goes on as usual until `runFor`.
  if (hasScript) await page.clock.install();
  await openSignedIn(page, product, "/admin/notifications");
  await fillIn(page, "The first", "Come in");
  const firstId = await page.locator("input[name=id]").inputValue();
  await sendButton(page).click();
  await page.getByRole("dialog").getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  if (hasScript) await expect(sendButton(page)).toBeFocused();
  await sendButton(page).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send Notification" }).click();
  await expect(page.getByRole("link", { name: "See all devices" })).toBeVisible();

  const title = page.getByLabel("Notification Title");
  await expect(title).toHaveValue("");
  await page.getByLabel("Landing-page subscribers").check();
  await title.fill("The second");
  if (hasScript) {
    await expect(page.getByText("Sending: 0 of 1 device done")).toBeVisible();
    for (let refresh = 0; refresh < 2; refresh += 1) {
      await page.waitForResponse((response) => response.url().includes("/admin/notifications.data"));
    }
  }
  await expect(page.locator('meta[http-equiv="refresh"]')).toHaveCount(0);
  await title.press("End");
  await title.pressSequentially(" one");
  await expect(title).toBeFocused();
  await expect(title).toHaveValue("The second one");
  await expect(page.getByLabel("Landing-page subscribers")).toBeChecked();
  await page.getByLabel("Message", { exact: true }).fill("Come in, too");

  // A refused form keeps its text and its error, and beside another page of the history its text.
  const link = page.getByLabel("Link");
  await link.fill("example.com");
  await sendButton(page).click();
  await expect(link).toHaveAttribute("aria-invalid", "true");
  await expect(title).toHaveValue("The second one");
  if (hasScript) {
    await page.clock.runFor(seconds(3));
    await page.request.get("/admin/notifications");
    await expect(link).toHaveAttribute("aria-invalid", "true");
    await page.getByRole("link", { name: "Older" }).click();
    await expect(page).toHaveURL(/before=/);
    await expect(link).not.toHaveAttribute("aria-invalid");
    await expect(link).toHaveValue("example.com");
    await expect(title).toHaveValue("The second one");
  }
  await link.fill("");
  await sendButton(page).click();
  await expect(page.getByRole("dialog")).toContainText("The second one");
  expect(
    readRows(product, "select title, state from broadcasts where title <> 'Earlier' order by title"),
  ).toEqual([
    { title: "The first", state: "sending" },
    { title: "The second one", state: "draft" },
  ]);
  expect(readRows(product, "select id from broadcasts where title = 'The first'")).toEqual([{ id: firstId }]);
});

test("an operator tests a notification on their own device @push", async ({ page, product, push }) => {
  const browser = createSubscription(push.endpoint("own"));
  await stubPushService(page.context(), browser.token);
  await openSignedIn(page, product, "/admin/notifications");
  await fillIn(page, "Only for me", "Come in");
  const link = page.getByLabel("Link");
  // An error that the server gives twice is shown twice.
  for (const wrong of ["example.com", "www.example.com"]) {
    await link.fill(wrong);
    await expect(link).not.toHaveAttribute("aria-invalid");
    await page.getByRole("button", { name: "Test on my own device" }).click();
    await expect(link).toHaveAttribute("aria-invalid", "true");
  }
  await link.fill("");
  await page.getByRole("button", { name: "Test on my own device" }).click();
  await expectToBeTold(page, "The test was sent to this browser.");
  await expect(page.getByLabel("Notification Title")).toHaveValue("Only for me");
  expect(push.received.map(({ body }) => JSON.parse(decrypt(body, browser)))).toMatchObject([
    { notification: { title: "Only for me", body: "Come in" } },
  ]);
  expect(readRows(product, "select state from broadcasts")).toEqual([{ state: "draft" }]);
});
