import { expectNothingFound, ONE_THEME } from "./axe";
import {
  botPosts,
  expect,
  expectToBeTold,
  openLanding,
  openSignedIn,
  signIn,
  submitPassword,
  test,
  writeEmail,
} from "./product";
import { sendUnchecked, visitorForms } from "./visitor-forms";

test("axe finds nothing in any state of the landing page and its forms in either theme @js", async ({
  page,
}) => {
  await openLanding(page);
  await expectNothingFound(page, "/");
  await page.goto("/contact?notice=registered#contact");
  await expectNothingFound(page, "the thanks of the contact form", { within: ["#contact"] });
  await page.goto("/updates?notice=registered");
  await expectNothingFound(page, "the thanks of /updates");
  for (const form of visitorForms) {
    await page.goto(form.path);
    // The contact form stands in the page itself.
    if (form.path !== "/contact") await expectNothingFound(page, form.path);
    await sendUnchecked(page, form);
    await expect(form.place(page).getByRole("alert")).toBeVisible();
    await expectNothingFound(
      page,
      `${form.path} with errors`,
      form.path === "/contact" ? { within: ["#contact"] } : {},
    );
  }
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
  for (const path of ["/admin/users", "/admin/activity", "/admin/sessions"]) {
    await page.goto(path);
    await expectNothingFound(page, `${path} on a small screen`, ONE_THEME);
  }
});

test("axe finds nothing on the questions and refused forms of the back office in either theme @js", async ({
  page,
  product,
}) => {
  await botPosts(product, { name: "Ada Byron", email: "ada@example.com", company: "Long words ".repeat(10) });
  await signIn(page, product);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
  const dialog = page.getByRole("dialog");

  await page.goto("/admin/quarantine");
  await page.getByText("Read all").click();
  await expectNothingFound(page, "the quarantine");
  await page.getByRole("checkbox", { name: /^Select the submission/ }).check();
  await press("Purge");
  await expect(dialog).toBeVisible();
  await expectNothingFound(page, "the question before a purge");
  await page.goto("/admin/quarantine");
  await page.getByRole("link", { name: "Release all 1 submission" }).click();
  await dialog.getByRole("button", { name: "Release" }).click();
  await expect(page.getByRole("heading", { name: "Nothing in quarantine yet" })).toBeVisible();
  await expectNothingFound(page, "the empty quarantine, and a toast");

  await page.goto("/admin/users");
  await press("Add New User");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNothingFound(page, "a user that was refused");
  await page.getByLabel("Email Address").fill("grace@example.com");
  await page.getByLabel("Full Name").fill("Grace Hopper");
  await page.getByLabel("Full Name").press("Enter");
  await expect(page.getByRole("button", { name: "Copy" })).toBeFocused();
  await expectNothingFound(page, "a temporary password");
  await page.getByRole("link", { name: "Remove Grace Hopper" }).click();
  await expect(dialog).toBeVisible();
  await expectNothingFound(page, "the question before a user is removed");

  await page.goto("/admin/password-reset");
  await submitPassword(page, "not mine", "a long password of my own", "another password of my own");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNothingFound(page, "a password that was refused");

  await page.goto("/admin/dashboard");
  const panel = page.locator("#outreach");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(panel.getByLabel("Email Title")).toHaveAttribute("aria-invalid", "true");
  await expectNothingFound(page, "the outreach panel with errors");
  await writeEmail(page, "Hello", "Dear {{name}}");
  await panel.getByRole("button", { name: "Preview Recipients" }).click();
  await expect(panel.getByRole("region", { name: "Preview Recipients" })).toBeVisible();
  await expectNothingFound(page, "the recipients' preview");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(dialog).toBeVisible();
  await expectNothingFound(page, "the confirmation");
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page.getByText("Emails sent successfully")).toBeVisible({ timeout: 20_000 });
  await expectNothingFound(page, "the result");
  await page.getByRole("link", { name: "See all recipients" }).click();
  await expect(page.getByRole("table", { name: "Recipients of this campaign" })).toBeVisible();
  await expectNothingFound(page, "a campaign");
});

test.describe("an email of the outbox", () => {
  test.use({ settings: { MAIL_DRIVER: "outbox" } });

  test("is shown in a sandboxed frame, with its parts and links, and axe finds nothing @js", async ({
    page,
    product,
  }) => {
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
