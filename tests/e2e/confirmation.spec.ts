import { expect, test } from "./product";
import { open, submitForm, visitorForms } from "./visitor-forms";

test.describe("with DOUBLE_OPT_IN=on", () => {
  test.use({ settings: { DOUBLE_OPT_IN: "on" } });

  test("a visitor confirms their address behind the link in the email", async ({ page, product, smtp }) => {
    const [, updates] = visitorForms;
    await open(page, updates);
    await submitForm(page, updates);
    await expect(updates.place(page).getByText("Please open the link to confirm.")).toBeVisible();
    await expect.poll(() => smtp.count()).toBe(1);
    const email = await smtp.emails[0]!.parse();
    const [link = ""] = /https?:\/\/\S+/.exec(email.text ?? "") ?? [];

    await page.goto(link);
    await expect(page).toHaveTitle(/^Confirm your address/);
    await expect(page.getByRole("status")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Confirm" })).toBeVisible();
    await page.getByRole("button", { name: "Confirm" }).press("Enter");
    await expect(page.getByRole("heading", { name: "Your address is confirmed", level: 1 })).toBeVisible();
    await expect(page.getByRole("status")).toContainText("Thank you.");

    await page.goto(link);
    await expect(page.getByRole("status")).toContainText("You have already confirmed");
    await page.getByRole("link", { name: "To the home page" }).click();
    await expect(page).toHaveURL(`${product.origin}/`);
  });
});

test.describe("with DOUBLE_OPT_IN=all", () => {
  test.use({ settings: { DOUBLE_OPT_IN: "all" } });

  test("a visitor confirms early access behind the link in the email @no-js", async ({ page, smtp }) => {
    const [earlyAccess] = visitorForms;
    await open(page, earlyAccess);
    await submitForm(page, earlyAccess);
    await expect(earlyAccess.place(page).getByText("Please open the link to confirm.")).toBeVisible();
    await expect.poll(() => smtp.count()).toBe(1);
    const email = await smtp.emails[0]!.parse();
    const [link = ""] = /https?:\/\/\S+/.exec(email.text ?? "") ?? [];
    await page.goto(link);
    await expect(page.getByText("You will be on the list for early access")).toBeVisible();
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("status")).toContainText("Thank you. You are on the list");
  });
});
