import type { Page } from "@playwright/test";
import { expectNothingFound, ONE_THEME } from "./axe";
import { botPosts, expect, expectToBeTold, openSignedIn, test } from "./product";
import { open, submitForm, visitorForms } from "./visitor-forms";

const getCheckbox = (page: Page, name: string) =>
  page.getByRole("checkbox", { name: `Select the submission of ${name}` });
const getSelectedActions = (page: Page) => page.getByRole("group", { name: "Selected" });
const inTable = (page: Page, text: string) =>
  page.getByRole("region", { name: "Early Access" }).getByRole("cell", { name: text });

test.describe("a submission that looks automated", () => {
  test("is answered as accepted, quarantined, and listed once it is released", async ({ page, product }) => {
    const [earlyAccess] = visitorForms;
    const grace = { "Full Name": "Grace Hopper", "Email Address": "grace@example.com", Company: "Navy" };
    await open(page, earlyAccess);
    // The hidden field, which only programs fill in.
    await earlyAccess
      .place(page)
      .locator("input[name=website]")
      .evaluate((field) => ((field as HTMLInputElement).value = "https://spam.example"));
    await submitForm(page, earlyAccess, grace);
    const company = "Long words ".repeat(10);
    await botPosts(product, { name: "Buy Now", email: "spam@example.com", company });
    await openSignedIn(page, product, "/admin/dashboard");
    await expect(page.getByText("No submissions yet").first()).toBeVisible();

    await page.getByRole("link", { name: "Quarantine 2 waiting" }).first().click();
    await expect(page.getByRole("heading", { name: "Quarantine", level: 1 })).toBeVisible();
    await expect(page.getByText("2 submissions look automated and need your review.")).toBeVisible();
    const row = page.getByRole("row").filter({ hasText: "grace@example.com" });
    await expect(row).toContainText("Grace Hopper");
    await expect(row).toContainText("Early access");
    await expect(row).toContainText("Navy");
    await expect(row).toContainText("Filled in the hidden field");
    await page.locator("summary", { hasText: "Read all" }).click();
    await expectNothingFound(page, "the quarantine");

    await getCheckbox(page, "Grace Hopper").check();
    await getSelectedActions(page).getByRole("button", { name: "Release" }).click();
    await expectToBeTold(page, "1 submission released");
    await expect(page.getByText("grace@example.com")).toHaveCount(0);
    await expect(getCheckbox(page, "Buy Now")).toBeVisible();
    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await expect(inTable(page, "grace@example.com")).toBeVisible();
    await expect(inTable(page, "spam@example.com")).toHaveCount(0);
  });

  test("is purged after a confirmation, and stays when that is declined", async ({ page, product }) => {
    await botPosts(product, { name: "Grace Hopper", email: "grace@example.com" });
    await botPosts(product, { name: "Buy Now", email: "spam@example.com" });
    await openSignedIn(page, product, "/admin/quarantine");
    await getCheckbox(page, "Buy Now").check();
    await getSelectedActions(page).getByRole("button", { name: "Purge" }).click();
    const question = page.getByRole("dialog", { name: "Purge 1 submission?" });
    await expect(question).toContainText("1 early access signup will be deleted permanently");
    await expect(question).toContainText("spam@example.com");
    await expect(question).not.toContainText("grace@example.com");
    await expectNothingFound(page, "the question before a purge", ONE_THEME);
    await question.getByRole("link", { name: "Keep them here" }).click();
    await expect(question).toHaveCount(0);
    await expect(getCheckbox(page, "Buy Now")).toBeChecked();
    await expect(getCheckbox(page, "Grace Hopper")).not.toBeChecked();

    await getSelectedActions(page).getByRole("button", { name: "Purge" }).click();
    await expect(question).toBeVisible();
    const questionUrl = page.url();
    await question.getByRole("button", { name: "Purge" }).click();
    await expectToBeTold(page, "1 submission purged.");
    await expect(page.getByText("spam@example.com")).toHaveCount(0);
    await expect(getCheckbox(page, "Grace Hopper")).toBeVisible();
    // Opens the question again, as the back button does.
    await page.goto(questionUrl);
    await expect(page.getByRole("alert")).toContainText("These were already handled");
    await expect(page.getByText("1 submission looks automated and needs your review.")).toBeVisible();

    await page.getByRole("link", { name: "Release all 1 submission" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Release" }).click();
    await expect(page.getByRole("heading", { name: "Nothing in quarantine yet" })).toBeVisible();
    await expectNothingFound(page, "the empty quarantine, and a message");
  });

  test("is selected and deselected with all others @js", async ({ page, product }) => {
    for (const name of ["one", "two"]) await botPosts(product, { name, email: `${name}@example.com` });
    await openSignedIn(page, product, "/admin/quarantine");
    await page.getByRole("checkbox", { name: "Select all" }).check();
    for (const name of ["one", "two"]) await expect(getCheckbox(page, name)).toBeChecked();
    // Enter on a checkbox releases and purges nothing.
    await getCheckbox(page, "one").press("Enter");
    await expect(page).toHaveURL(/id=/);
    // The page of this URL, which comes after it, renders them as selected.
    for (const name of ["one", "two"]) {
      await expect(getCheckbox(page, name)).toHaveAttribute("checked");
      await expect(getCheckbox(page, name)).toBeChecked();
    }
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await page.getByRole("checkbox", { name: "Select all" }).uncheck();
    for (const name of ["one", "two"]) await expect(getCheckbox(page, name)).not.toBeChecked();
  });
});
