import type { Page } from "@playwright/test";
import { expectNothingFound, ONE_THEME } from "./axe";
import { applyFilter, expect, openSignedIn, test, expectToBeTold } from "./product";

const getCheckbox = (page: Page, address: string) =>
  page.getByRole("checkbox", { name: `Select ${address}` });

test("the theme leaves what was typed on the page that adds addresses @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/suppressions/add");
  const address = page.getByLabel("Email address");
  const note = page.getByLabel("Note");
  const list = page.getByLabel("Addresses", { exact: true });
  // The second result has the same numbers.
  for (const each of ["ada@example.com", "grace@example.com"]) {
    await address.fill(each);
    await note.fill("asked by phone");
    await page.getByRole("button", { name: "Add this address" }).click();
    await expectToBeTold(page, "1 address added.");
    await expect(address).toHaveValue("");
  }
  await list.fill("alan@example.com");
  // The answer to one form leaves what is in the other.
  await address.fill("name@localhost");
  await page.getByRole("button", { name: "Add this address" }).click();
  await expect(page.getByText("Please enter the address like name@example.com.")).toBeVisible();
  await address.fill("edsger@example.com");
  await page.getByRole("button", { name: "Add this address" }).click();
  await expectToBeTold(page, "1 address added.");
  await expect(address).toHaveValue("");
  await expect(list).toHaveValue("alan@example.com");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
  await expect(list).toHaveValue("alan@example.com");
  await list.fill("alan@example.com\nnobody at all");
  await page.getByRole("button", { name: "Add these addresses" }).click();
  await expect(list).toHaveValue("nobody at all");
  await page.getByRole("button", { name: "Light theme" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(list).toHaveValue("nobody at all");
});

test("addresses that get no email are added, imported, found and released", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/dashboard");
  await page.getByRole("link", { name: "Suppressions" }).first().click();
  await expect(page.getByRole("heading", { name: "No suppressed addresses yet" })).toBeVisible();
  await expectNothingFound(page, "the empty suppressions");
  await page.getByRole("link", { name: "Add addresses" }).click();
  await page.getByLabel("Email address").fill("Ada@Example.com");
  await page.getByLabel("Note").fill("asked by phone");
  await page.getByRole("button", { name: "Add this address" }).click();
  await expectToBeTold(page, "1 address added.");

  await page.getByLabel("Addresses", { exact: true }).fill("ada@example.com\nnobody at all\n");
  await page.getByLabel("Or a CSV file").setInputFiles({
    name: "list.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Email,Name\ngrace@example.com,Grace\nalan@example.com,Alan\n"),
  });
  await page.getByRole("button", { name: "Add these addresses" }).click();
  const problem = page.getByRole("alert");
  await expect(problem).toContainText(
    "2 addresses added. 1 address is already on the list. 1 line is not an address.",
  );
  await expect(problem).toContainText("nobody at all");
  await expect(page.getByLabel("Addresses", { exact: true })).toHaveValue("nobody at all");
  await expectNothingFound(page, "addresses that are none", ONE_THEME);

  await page
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "Suppressions" })
    .click();
  await expect(page.getByRole("row")).toHaveCount(4);
  await page.getByLabel("Address starts with").fill("A");
  await page.getByLabel("Reason").selectOption("Imported");
  await applyFilter(page);
  await expect(page).toHaveURL(/prefix=A&reason=imported/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await getCheckbox(page, "alan@example.com").check();
  await expectNothingFound(page, "the suppressions");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "the suppressions on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Release" }).click();
  const question = page.getByRole("dialog", { name: "Release 1 address?" });
  await expect(question).toContainText("alan@example.com");
  await expect(question).toContainText("Earlier campaigns stay as they are.");
  await expectNothingFound(page, "the question before a release", ONE_THEME);
  await question.getByRole("button", { name: "Release" }).click();
  await expectToBeTold(page, "1 address released.");
  await expect(page.getByText("No addresses match.")).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(getCheckbox(page, "Ada@Example.com")).toBeVisible();
  await expect(getCheckbox(page, "alan@example.com")).toHaveCount(0);
});
