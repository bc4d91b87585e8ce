import { expect, logInForTheFirstTime, test } from "./product";

const PASSWORD = "a new password of my own";

test.describe("an operator", () => {
  test("is told of a wrong password, keeps the address and gets in with the right one", async ({
    page,
    product,
  }) => {
    await page.goto("/login");
    await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
    await expect(page.getByText("If you need access, please contact an administrator.")).toBeVisible();
    await page.getByLabel("Email").fill("superadmin@example.com");
    await page.getByLabel("Password").fill("not it");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert")).toContainText("Invalid email or password");
    await expect(page.getByLabel("Email")).toHaveValue("superadmin@example.com");
    await logInForTheFirstTime(page, product, PASSWORD);
  });

  test("can go nowhere but to the password page with a one-time password", async ({ page, product }) => {
    const oneTime = /Password: (\S+)/.exec(product.output())?.[1] ?? "";
    await page.goto("/login");
    await page.getByLabel("Email").fill("superadmin@example.com");
    await page.getByLabel("Password").fill(oneTime);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page).toHaveURL(/\/admin\/password-reset/, { timeout: 10_000 });
    for (const path of ["/admin", "/admin/dashboard", "/admin/outbox", "/admin/no-such-page"]) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/admin\/password-reset/);
    }
    await page.getByLabel("Current Password").fill(oneTime);
    await page.getByLabel("New Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Confirm New Password").fill(`${PASSWORD}!`);
    await page.getByRole("button", { name: "Reset Password" }).click();
    await expect(page.getByText("New passwords don't match")).toBeVisible();
  });

  test("finds the current entry marked, is led home from what does not exist, and is out after logout", async ({
    page,
    product,
  }) => {
    await logInForTheFirstTime(page, product, PASSWORD);
    await page.goto("/admin");
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await expect(page.getByRole("link", { name: "Dashboard" }).first()).toHaveAttribute(
      "aria-current",
      "page",
    );
    await page.goto("/admin/no-such-page");
    await expect(page).toHaveURL(`${product.origin}/`);
    await page.goto("/admin/dashboard");
    await page.getByRole("button", { name: "Logout" }).first().click();
    await expect(page).toHaveURL(/\/login/);
    await page.goBack();
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByText("Total Signups")).toHaveCount(0);
  });

  test("chooses the dark theme and a narrow rail, which stay", async ({ page, product }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await logInForTheFirstTime(page, product, PASSWORD);
    await page.goto("/admin/dashboard");
    await page.getByRole("button", { name: "Dark theme" }).click();
    await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await page.getByRole("button", { name: "Collapse the menu" }).click();
    await expect(page.getByRole("button", { name: "Expand the menu" })).toBeVisible();
    await page.reload();
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(18, 19, 23)");
    const rail = page.getByRole("navigation", { name: "Back office" });
    expect((await rail.boundingBox())?.width).toBeLessThan(64);
    await expect(rail.getByRole("link", { name: "Dashboard" })).toBeVisible();
  });

  test("opens the menu on a small screen", async ({ page, product }) => {
    await logInForTheFirstTime(page, product, PASSWORD);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/admin/dashboard");
    await expect(page.getByRole("link", { name: "Reset Password" })).toBeHidden();
    await page.getByText("Menu", { exact: true }).click();
    await page.getByRole("link", { name: "Reset Password" }).click();
    await expect(page).toHaveURL(/\/admin\/password-reset/);
  });

  test("sees that nobody would get the mail when the group is empty", async ({ page, product, smtp }) => {
    await logInForTheFirstTime(page, product, PASSWORD);
    await page.goto("/admin/dashboard");
    const panel = page.locator("#outreach");
    await panel.getByLabel("Email Title").fill("Hello");
    await panel.getByLabel("Email Message").fill("Anybody there?");
    await panel.getByRole("button", { name: "Send Email" }).click();
    await expect(panel.getByRole("alert")).toContainText("Nobody in this group can get this mail yet");
    await expect(panel.getByLabel("Email Message")).toHaveValue("Anybody there?");
    expect(smtp.count()).toBe(0);
  });

  test("is told what a button needs before it acts", async ({ page, product, smtp }) => {
    await logInForTheFirstTime(page, product, PASSWORD);
    await page.goto("/admin/dashboard");
    const panel = page.locator("#outreach");
    await panel.getByLabel("Email Message").fill("A message without a title");
    await panel.getByRole("button", { name: "Send Test" }).click();
    await expect(panel.getByLabel("Test email address")).toHaveAccessibleDescription(
      /Please enter the test address/,
    );
    await panel.getByRole("button", { name: "Send Email" }).click();
    await expect(panel.getByLabel("Email Title")).toHaveAccessibleDescription(/Please enter the title/);
    await expect(panel.getByLabel("Email Message")).toHaveValue("A message without a title");
    expect(smtp.count()).toBe(0);
  });
});
