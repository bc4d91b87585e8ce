import { PLATFORM_TOKEN, startPlatform, type FakePlatform } from "../fakes/platform";
import { expectNothingFound } from "./axe";
import { test as base, expect, openSignedIn } from "./product";

/** The product with its tenants, logs and broadcasts at a platform of this test. */
const test = base.extend<{ platform: FakePlatform }>({
  platform: async ({}, use) => {
    const platform = await startPlatform();
    await use(platform);
    await platform.close();
  },
  ownSettings: async ({ platform }, use) =>
    use({
      TENANTS_DRIVER: "platform",
      LOGS_DRIVER: "platform",
      PLATFORM_BROADCASTS: "on",
      ...platform.environment,
    }),
});

test("an operator reaches a company through the platform @js", async ({ page, product, platform }) => {
  platform.logs = [
    "2026-11-21T12:00:00Z [INFO] the application began",
    "2026-11-21T12:00:01Z [ERROR] a meeting was lost",
  ];
  platform.failRequest = ({ path }) =>
    path.startsWith("/api/Broadcast") ? { status: 403, text: "Quota of the day is used up" } : undefined;
  await openSignedIn(page, product, "/admin/notifications");
  await expect(page.getByText(/^Platform/).first()).toBeVisible();
  await page.getByRole("radio", { name: /^Application users/ }).check();
  await page.getByLabel(/^Select Company/).selectOption({ label: "Acme (acme.example)" });
  await page.getByLabel("Notification Title").fill("The beta opens");
  await page.getByLabel("Message", { exact: true }).fill("Come in, 世界");
  await page.getByRole("button", { name: "Send Notification" }).last().click();
  const question = page.getByRole("dialog", { name: "Send this notification?" });
  await expect(question).toContainText("The platform sends it to the application's devices: Acme.");
  await question.getByRole("button", { name: "Send Notification" }).click();
  await expect(
    page.getByText("Failed to send broadcast notification: Quota of the day is used up"),
  ).toBeVisible();

  await page.getByRole("link", { name: "See all devices" }).click();
  await expect(page.getByText("Not sent by the platform")).toBeVisible();
  await expectNothingFound(page, "a part the platform refused");
  platform.failRequest = () => undefined;
  await page.getByRole("button", { name: "Ask the platform again" }).click();
  await expect(page.getByText("The platform reports 3 sent and 1 failed.")).toBeVisible();
  await expect(page.getByText("Successfully sent to 3 devices (1 failed)")).toBeVisible();
  expect(platform.applied.filter(({ path }) => path.startsWith("/api/Broadcast"))).toEqual([
    {
      method: "POST",
      path: "/api/Broadcast/tenant/7",
      body: { title: "The beta opens", body: "Come in, 世界" },
    },
  ]);

  platform.failRequest = () => ({ status: 401 });
  await page.goto("/admin/logs");
  await expect(page.getByRole("heading", { name: "The platform's log could not be loaded" })).toBeVisible();
  await expectNothingFound(page, "the log of a platform that is away");
  platform.failRequest = () => undefined;
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByText("a meeting was lost").first()).toBeVisible();
  expect(product.output()).not.toContain(PLATFORM_TOKEN);
});
