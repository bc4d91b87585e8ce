import { test as base, expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { startSmtpServer } from "../fakes/smtp-server";
import { startServer } from "../server-process";
import type { ServerProcess } from "../server-process";

type SmtpServer = Awaited<ReturnType<typeof startSmtpServer>>;

interface Fixtures {
  /** What the product is started with besides; test.use({ settings: { DOUBLE_OPT_IN: "on" } }). */
  settings: Record<string, string>;
  smtp: SmtpServer;
  /** The built product, fresh for each test, sending to `smtp`, with a one-time superadmin password. */
  product: ServerProcess;
}

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  smtp: async ({}, use) => {
    const smtp = await startSmtpServer({});
    await use(smtp);
    await smtp.close();
  },
  product: async ({ smtp, settings }, use) => {
    const own = { MAIL_DRIVER: "smtp", SMTP_URL: smtp.url, SUPERADMIN_PASSWORD: "" };
    const product = await startServer({ ...own, ...settings });
    await use(product);
    await product.remove();
  },
  baseURL: async ({ product }, use) => use(product.origin),
  page: async ({ page }, use) => {
    // A violated policy, a failed hydration or an error of ours ends up here (C16). A refused form is no error of ours.
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isRefusal) errors.push(message.text());
    });
    await use(page);
    expect(errors).toEqual([]);
  },
});

export { expect };

/** The one-time password as the operator reads it on the terminal. */
export function printedPassword(product: ServerProcess): string {
  const password = /Password: (\S+)/.exec(product.output())?.[1];
  if (!password) throw new Error("No password was printed");
  return password;
}

/** Waits until the form on the page is as old as a person's would be: younger than two seconds it counts as a bot's. */
export async function takeTheTimeAPersonTakes(page: Page): Promise<void> {
  const stamp = await page.locator('input[name="stamp"]').last().inputValue();
  const renderedAt = parseInt(stamp.split(".")[0] ?? "", 36) * 1000;
  await expect.poll(() => Date.now() - renderedAt, { timeout: 5000 }).toBeGreaterThan(2000);
}

export async function signUpForEarlyAccess(
  page: Page,
  visitor: { name: string; email: string; company?: string; role?: string },
): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Sign Up for Early Access" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Sign Up for Early Access" });
  await takeTheTimeAPersonTakes(page);
  await dialog.getByLabel("Full Name").fill(visitor.name);
  await dialog.getByLabel("Email Address").fill(visitor.email);
  if (visitor.company) await dialog.getByLabel("Company").fill(visitor.company);
  if (visitor.role) await dialog.getByLabel("Role").selectOption(visitor.role);
  await dialog.getByRole("button", { name: "Sign Up for Early Access" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: "Successfully registered! Thank you." }),
  ).toBeVisible();
}

/** Signs up as a program does that fills in every field, also the one people do not see. */
export async function botSignsUp(
  page: Page,
  bot: { name: string; email: string; company?: string },
): Promise<void> {
  await page.goto("/early-access");
  const dialog = page.getByRole("dialog", { name: "Sign Up for Early Access" });
  await dialog.getByLabel("Full Name").fill(bot.name);
  await dialog.getByLabel("Email Address").fill(bot.email);
  await dialog.getByLabel("Company").fill(bot.company ?? "");
  await dialog
    .locator("input[name=website]")
    .evaluate((field) => ((field as HTMLInputElement).value = "https://spam.example"));
  await dialog.getByRole("button", { name: "Sign Up for Early Access" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: "Successfully registered! Thank you." }),
  ).toBeVisible();
}

/** Logs in with the printed password and chooses a new one, as the first operator must. */
export async function logInForTheFirstTime(
  page: Page,
  product: ServerProcess,
  newPassword: string,
): Promise<void> {
  const oneTime = printedPassword(product);
  await page.goto("/admin/dashboard");
  await expect(page).toHaveURL(/\/login\?redirectTo=/);
  await page.getByLabel("Email").fill("superadmin@example.com");
  await page.getByLabel("Password").fill(oneTime);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Login successful!")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/password-reset/, { timeout: 10_000 });
  await page.getByLabel("Current Password").fill(oneTime);
  await page.getByLabel("New Password", { exact: true }).fill(newPassword);
  await page.getByLabel("Confirm New Password").fill(newPassword);
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByText("Password reset successfully")).toBeVisible();
}
