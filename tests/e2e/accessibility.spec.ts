import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, openLanding, openSignedIn, test, writeEmail } from "./product";

test("axe finds nothing on the landing page, large or small, in either theme @js", async ({ page }) => {
  await openLanding(page);
  await expectNothingFound(page, "/");
  await page.goto("/contact?notice=registered#contact");
  await expectNothingFound(page, "the thanks of the contact form", { within: ["#contact"] });

  await page.setViewportSize({ width: 360, height: 740 });
  await openLanding(page);
  await page.locator("header summary").click();
  await expectNothingFound(page, "the open menu", { within: ["header"] });
  await page.keyboard.press("Escape");
  for (const question of await page.locator("#faqs summary").all()) await question.click();
  await expect(page.getByRole("button", { name: "Scroll to top" })).toBeVisible();
  await expectNothingFound(
    page,
    "the page on a small screen, with its questions open and the scroll buttons",
  );
  await page.goto("/updates");
  await expectNothingFound(page, "/updates on a small screen", ONE_THEME);
});

test("axe finds nothing on the other public pages in either theme @js", async ({ page }) => {
  for (const path of [
    "/early-access?notice=registered",
    "/login",
    "/unauthorized",
    "/unsubscribe/unknown",
    "/updates/confirm/unknown",
    "/invitation/unknown",
    "/confirm-email/unknown",
  ]) {
    await page.goto(path);
    await expectNothingFound(page, path);
  }
});

test("axe finds nothing on unlinked and small screens of the back office @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/activity?from=nonsense");
  await expectNothingFound(page, "a day that is none");
  await page.goto("/admin/outbox");
  await expectNothingFound(page, "the outbox");
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of [
    "/admin/users",
    "/admin/activity",
    "/admin/account",
    "/admin/alerts",
    "/admin/sessions",
  ]) {
    await page.goto(path);
    await expectNothingFound(page, `${path} on a small screen`, ONE_THEME);
  }
});

test.describe("an email of the outbox", () => {
  test.use({ settings: { MAIL_DRIVER: "outbox" } });

  test("is in a sandboxed frame with its parts and links, without faults @js", async ({ page, product }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    const message = "Read https://example.com/a?b=c&d=e first.";
    const panel = await writeEmail(page, "In spring – früh", message);
    await panel.getByLabel("Test email address").fill("ada@example.com");
    await panel.getByRole("button", { name: "Send Test" }).click();
    await expectToBeTold(page, "Test email sent successfully!");
    await page.goto("/admin/outbox");
    await page.getByRole("link", { name: "Open the email to ada@example.com" }).click();
    await expect(page.getByRole("heading", { name: "[Test] In spring – früh", level: 1 })).toBeVisible();
    await expect(page.frameLocator("iframe").getByText("first.")).toBeVisible();
    await expect(page.getByRole("link", { name: "https://example.com/a?b=c&d=e" })).toBeVisible();
    await expectNothingFound(page, "an email of the outbox");
    await page.getByRole("link", { name: "Headers" }).click();
    await expect(page.getByRole("region", { name: "Headers" })).toContainText("Subject: ");
    await expectNothingFound(page, "its headers");
  });
});
