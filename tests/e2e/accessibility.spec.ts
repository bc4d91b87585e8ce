import { expectNothingFound } from "./axe";
import { expect, logInForTheFirstTime, signUpForEarlyAccess, test } from "./product";
import { sendUnchecked, visitorForms } from "./visitor-forms";

test("axe finds nothing in any state of the landing page and its forms in either theme @js", async ({
  page,
}) => {
  test.setTimeout(300_000);
  for (const path of ["/", "/contact?notice=registered#contact", "/updates?notice=registered"]) {
    await page.goto(path);
    await expectNothingFound(page, path);
  }
  for (const form of visitorForms) {
    await page.goto(form.path);
    await expectNothingFound(page, form.path);
    await sendUnchecked(page, form);
    await expect(form.place(page).getByRole("alert")).toBeVisible();
    await expectNothingFound(page, `${form.path} with errors`);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await page.locator("header summary").click();
  await expectNothingFound(page, "the open menu");
  await page.keyboard.press("Escape");
  for (const question of await page.locator("#faqs summary").all()) await question.click();
  await expect(page.getByRole("button", { name: "Scroll to top" })).toBeVisible();
  await expectNothingFound(page, "the open questions and the scroll buttons on a small screen");
  await page.goto("/updates");
  await expectNothingFound(page, "/updates on a small screen");
});

test("axe finds nothing on any screen in either theme @js", async ({ page, product }) => {
  test.setTimeout(180_000);
  for (const path of ["/early-access?notice=registered", "/login", "/unauthorized"]) {
    await page.goto(path);
    await expectNothingFound(page, path);
  }
  await page.goto("/unsubscribe/unknown");
  await expectNothingFound(page, "an unknown unsubscribe link");
  await page.goto("/updates/confirm/unknown");
  await expectNothingFound(page, "an unknown link to confirm");
  await signUpForEarlyAccess(page, { name: "Ada Byron", email: "ada@example.com" });

  await logInForTheFirstTime(page, product, "a new password of my own");
  await expectNothingFound(page, "the changed password");
  await page.goto("/admin/dashboard");
  await expectNothingFound(page, "the dashboard");
  const panel = page.locator("#outreach");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(panel.getByLabel("Email Title")).toHaveAttribute("aria-invalid", "true");
  await expectNothingFound(page, "the outreach panel with errors");
  await panel.getByLabel("Email Title").fill("Hello");
  await panel.getByLabel("Email Message").fill("Dear {{name}}");
  await panel.getByRole("button", { name: "Preview Recipients" }).click();
  await expect(panel.getByRole("region", { name: "Preview Recipients" })).toBeVisible();
  await expectNothingFound(page, "the recipients' preview");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNothingFound(page, "the confirmation");
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page.getByText("Emails sent successfully")).toBeVisible({ timeout: 20_000 });
  await expectNothingFound(page, "the result");
  await page.getByRole("link", { name: "See each recipient" }).click();
  await expect(page.getByRole("table")).toBeVisible();
  await expectNothingFound(page, "a send");
  await page.goto("/admin/outbox");
  await expectNothingFound(page, "the outbox page");
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/early-access", "/admin/dashboard"]) {
    await page.goto(path);
    await expectNothingFound(page, `${path} on a small screen`);
  }
});

test("axe finds nothing in User Management in either theme @js", async ({ page, product }) => {
  test.setTimeout(180_000);
  await logInForTheFirstTime(page, product, "a new password of my own");
  await page.goto("/admin/users");
  await page.getByRole("button", { name: "Add New User" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNothingFound(page, "a user that was refused");
  await page.getByLabel("Email Address").fill("grace@example.com");
  await page.getByLabel("Full Name").fill("Grace Hopper");
  await page.getByLabel("Full Name").press("Enter");
  await expect(page.getByRole("button", { name: "Copy" })).toBeFocused();
  await expectNothingFound(page, "a temporary password");
  await page.getByRole("link", { name: "Remove Grace Hopper" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNothingFound(page, "the question before a user is removed");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/admin/users");
  await expectNothingFound(page, "the users on a small screen");
});
