import type { Page } from "@playwright/test";
import { generateSync } from "otplib";
import { expectNothingFound } from "./axe";
import { expect, OWN_PASSWORD, openSignedIn, submitLogin, test, expectToBeTold } from "./product";

test("two-factor login: on, a login by code, one by recovery code, and off", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/second-factor");
  await expectNothingFound(page, "two-factor login, off");
  await page.getByLabel("Current Password").fill("wrong");
  await page.getByRole("button", { name: "Set up two-factor login" }).click();
  await expect(page.getByLabel("Current Password")).toHaveAccessibleDescription(/not your current password/);
  await page.getByLabel("Current Password").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Set up two-factor login" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  await page.getByLabel("Authentication code").fill("12345");
  await page.getByRole("button", { name: "Turn on two-factor login" }).click();
  await expect(page.getByRole("alert")).toContainText("This code did not work");
  await expect(page.getByLabel("Authentication code")).toHaveAccessibleDescription(/Check that your phone/);
  await expectNothingFound(page, "setting it up, with a wrong code");

  await page.getByLabel("Authentication code").fill(generateSync({ secret }));
  await page.getByRole("button", { name: "Turn on two-factor login" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  await expectNothingFound(page, "recovery codes");
  const [first = "", second = ""] = await codes.allInnerTexts();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("recovery-codes.txt");
  await page.getByRole("link", { name: "I have saved them" }).click();
  await expectToBeTold(page, "Your next login asks for a code.");
  await expect(codes).toHaveCount(0);
  await expect(page.getByText("10 of 10 recovery codes are left.")).toBeVisible();
  await expectNothingFound(page, "two-factor login, on");

  await logOut(page);
  await givePassword(page);
  const code = page.getByLabel("Authentication code");
  await expect(code).toBeFocused();
  await page.goto("/admin/dashboard");
  await expect(page).toHaveURL(/\/login\?redirectTo=/);
  await givePassword(page);
  await code.fill("000000");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("alert")).toContainText("This code did not work");
  await expectNothingFound(page, "a wrong code at the login");
  // The code of this step is used up; the next one's is taken already.
  await code.fill(generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }));
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Login successful!")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/dashboard/);

  await logOut(page);
  await givePassword(page);
  await page.getByRole("link", { name: "Use a recovery code instead" }).click();
  await page.getByLabel("Recovery code").fill(first.toLowerCase());
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Login successful!")).toBeVisible();

  await page.goto("/admin/second-factor");
  await expect(page.getByText("9 of 10 recovery codes are left.")).toBeVisible();
  await page.getByRole("link", { name: "Turn off" }).click();
  const question = page.getByRole("dialog", { name: "Turn off two-factor login?" });
  await expect(question).toBeVisible();
  await expectNothingFound(page, "the question before it is turned off");
  await question.getByLabel("Current Password").fill("wrong");
  await question.getByLabel("Authentication code or recovery code").fill(second);
  await question.getByRole("button", { name: "Yes, Turn It Off" }).click();
  await expect(question.getByLabel("Current Password")).toHaveAccessibleDescription(
    /not your current password/,
  );
  await question.getByLabel("Current Password").fill(OWN_PASSWORD);
  await question.getByLabel("Authentication code or recovery code").fill(second);
  await question.getByRole("button", { name: "Yes, Turn It Off" }).click();
  await expectToBeTold(page, "Two-factor login is off.");
  await expect(page.getByRole("button", { name: "Set up two-factor login" })).toBeVisible();
});

test("the theme leaves recovery codes until they are saved @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/second-factor");
  await page.getByLabel("Current Password").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Set up two-factor login" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  await page.getByLabel("Authentication code").fill(generateSync({ secret }));
  await page.getByRole("button", { name: "Turn on two-factor login" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const issued = await codes.allInnerTexts();
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page).toHaveURL(/#main$/);
  expect(await codes.allInnerTexts()).toEqual(issued);
  await page.getByRole("link", { name: "I have saved them" }).click();
  await expectToBeTold(page, "Your next login asks for a code.");
  await page.getByRole("link", { name: "Create new codes" }).click();
  await expect(page.getByRole("dialog", { name: "Create new recovery codes?" })).toBeVisible();
  await expect(codes).toHaveCount(0);
});

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login$/);
}

async function givePassword(page: Page): Promise<void> {
  // The address is there a moment before the page, and the dashboard has labels like these.
  await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
  await submitLogin(page, "superadmin@example.com", OWN_PASSWORD);
  await expect(page.getByRole("heading", { name: "Two-factor login" })).toBeVisible();
}
