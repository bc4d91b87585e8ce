import { generateSync } from "otplib";
import { expectNothingFound } from "./axe";
import { botPosts, expect, expectToBeTold, OWN_PASSWORD, signIn, test } from "./product";
import { sendUnchecked, visitorForms } from "./visitor-forms";

test("axe finds nothing in any state of the landing page and its forms in either theme @js", async ({
  page,
}) => {
  await page.goto("/");
  await expectNothingFound(page, "/");
  await page.goto("/contact?notice=registered#contact");
  await expectNothingFound(page, "the thanks of the contact form", ["#contact"]);
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
      form.path === "/contact" ? ["#contact"] : undefined,
    );
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await page.locator("header summary").click();
  await expectNothingFound(page, "the open menu", ["header"]);
  await page.keyboard.press("Escape");
  for (const question of await page.locator("#faqs summary").all()) await question.click();
  await expect(page.getByRole("button", { name: "Scroll to top" })).toBeVisible();
  await expectNothingFound(
    page,
    "the page on a small screen, with its questions open and the scroll buttons",
  );
  await page.goto("/updates");
  await expectNothingFound(page, "/updates on a small screen");
});

test("axe finds nothing on any other page for everybody in either theme @js", async ({ page }) => {
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

/** What is judged with more on it, and where. */
const JUDGED_ELSEWHERE: Readonly<Record<string, string>> = {
  "/admin/dashboard": "submissions.spec.ts",
  "/admin/submissions": "submissions.spec.ts",
  "/admin/logs": "logs.spec.ts",
  "/admin/suppressions": "suppressions.spec.ts",
  "/admin/tokens": "tokens.spec.ts",
  "/admin/second-factor": "below",
};

test("axe finds nothing on any screen of the back office in either theme @js", async ({ page, product }) => {
  await botPosts(product, { name: "Ada Byron", email: "ada@example.com", company: "Long words ".repeat(10) });
  await signIn(page, product);
  await page.goto("/admin/activity?from=nonsense");
  await expectNothingFound(page, "a day that is none");
  const rail = page.getByRole("navigation", { name: "Back office" }).getByRole("link");
  const screens = await rail.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(screens).toEqual(expect.arrayContaining(["/admin/users", ...Object.keys(JUDGED_ELSEWHERE)]));
  for (const screen of screens.filter((path) => !(path in JUDGED_ELSEWHERE))) {
    // Within one document, which has axe already.
    await rail.and(page.locator(`[href="${screen}"]`)).click();
    await expect(rail.and(page.locator(`[href="${screen}"]`))).toHaveAttribute("aria-current", "page");
    await expectNothingFound(page, screen);
  }
  await page.goto("/admin/outbox");
  await expectNothingFound(page, "the outbox");
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/admin/users", "/admin/activity", "/admin/sessions"]) {
    await page.goto(path);
    await expectNothingFound(page, `${path} on a small screen`);
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
  await page.getByLabel("Current Password").fill("not mine");
  await page.getByLabel("New Password", { exact: true }).fill("a long password of my own");
  await page.getByLabel("Confirm New Password").fill("another password of my own");
  await press("Reset Password");
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNothingFound(page, "a password that was refused");

  await page.goto("/admin/dashboard");
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
  await expect(dialog).toBeVisible();
  await expectNothingFound(page, "the confirmation");
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page.getByText("Emails sent successfully")).toBeVisible({ timeout: 20_000 });
  await expectNothingFound(page, "the result");
  await page.getByRole("link", { name: "See all recipients" }).click();
  await expect(page.getByRole("table", { name: "Recipients of this campaign" })).toBeVisible();
  await expectNothingFound(page, "a send");
});

test("axe finds nothing in two-factor login in either theme @js", async ({ page, product }) => {
  await signIn(page, product);
  await page.goto("/admin/second-factor");
  await expectNothingFound(page, "two-factor login, off");
  await page.getByLabel("Current Password").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Set up two-factor login" }).click();
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  await page.getByLabel("Authentication code").fill("12345");
  await page.getByRole("button", { name: "Turn on two-factor login" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectNothingFound(page, "setting it up, with a wrong code");
  await page.getByLabel("Authentication code").fill(generateSync({ secret }));
  await page.getByRole("button", { name: "Turn on two-factor login" }).click();
  await expect(page.getByRole("list", { name: "Recovery codes" })).toBeVisible();
  await expectNothingFound(page, "recovery codes");
  await page.getByRole("link", { name: "I have saved them" }).click();
  await expect(page.getByRole("status").first()).toBeVisible();
  await expectNothingFound(page, "two-factor login, on");
  await page.goto("/admin/second-factor?step=turn-off");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNothingFound(page, "the question before it is turned off");
  await page.goto("/admin/second-factor");
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByLabel("Email").fill("superadmin@example.com");
  await page.getByLabel("Password").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByLabel("Authentication code").fill("000000");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("alert")).toContainText("This code did not work");
  await expectNothingFound(page, "a wrong code at the login");
});

test.describe("an email of the outbox", () => {
  test.use({ settings: { MAIL_DRIVER: "outbox" } });

  test("is shown in a frame that runs nothing, with its parts and its links, and axe finds nothing @js", async ({
    page,
    product,
  }) => {
    await signIn(page, product);
    await page.goto("/admin/dashboard");
    const panel = page.locator("#outreach");
    await panel.getByLabel("Email Title").fill("In spring – früh");
    await panel.getByLabel("Email Message").fill("Read https://example.com/a?b=c&d=e first.");
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
