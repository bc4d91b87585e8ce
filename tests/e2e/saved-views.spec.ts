import { expectNothingFound, ONE_THEME } from "./axe";
import { applyFilter, expect, expectToBeTold, openSignedIn, signUp, test } from "./product";

test("an operator saves a filter, opens it, changes it and deletes it", async ({ page, product }) => {
  await signUp(product, { name: "Ada Lovelace", email: "ada@example.com", role: "developer" });
  await signUp(product, { name: "Grace Hopper", email: "grace@example.com", role: "manager" });
  const LIST = "/admin/submissions/early-access";
  await openSignedIn(page, product, LIST);
  const main = page.getByRole("main");
  const views = main.getByRole("navigation", { name: "Saved views" });
  const save = main.getByRole("link", { name: "Save this view" });
  await expect(save).toBeHidden();
  await expect(views).toBeHidden();

  await main.getByLabel("Role", { exact: true }).selectOption("Developer");
  await applyFilter(page);
  await save.click();
  await expect(main.getByRole("region", { name: "Save this view" })).toContainText("choice=developer");
  const name = main.getByLabel("Name", { exact: true });
  await name.fill("  ");
  await main.getByLabel("Everyone may use it").check();
  await main.getByRole("button", { name: "Save view" }).click();
  await expect(name).toHaveAccessibleDescription(/Please enter the name\./);
  await expect(main.getByLabel("Everyone may use it")).toBeChecked();
  await expectNothingFound(page, "a view without a name", ONE_THEME);
  await name.fill("Developers");
  await name.press("Enter");
  await expectToBeTold(page, "The view was saved.");
  await expect(page).toHaveURL(new RegExp(`${LIST}\\?choice=developer`));
  const developers = views.getByRole("link", { name: "Developers (shared)" });
  await expect(developers).toHaveAttribute("aria-current", "true");
  await expect(save).toBeHidden();
  await expectNothingFound(page, "a list with a saved view");

  await page.goto(LIST);
  await expect(main.getByText("grace@example.com").first()).toBeVisible();
  await expect(developers).not.toHaveAttribute("aria-current", "true");
  await developers.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${LIST}?choice=developer`);
  await expect(main.getByText("grace@example.com")).toHaveCount(0);
  await expect(main.getByLabel("Role", { exact: true })).toHaveValue("developer");

  // What is shown then takes the view's place.
  await main.getByLabel("Role", { exact: true }).selectOption("Manager");
  await applyFilter(page);
  await save.click();
  await main.getByRole("button", { name: "Update to what is shown Developers" }).click();
  await expectToBeTold(page, "The view was updated to what is shown.");
  await expect(developers).toHaveAttribute("aria-current", "true");
  await main.getByRole("link", { name: "Change views" }).click();
  await main.getByRole("link", { name: "Change Developers" }).click();
  await name.fill("Managers");
  await main.getByLabel("Everyone may use it").uncheck();
  await main.getByRole("button", { name: "Save changes" }).click();
  await expectToBeTold(page, "The view was changed.");
  const row = main.getByRole("row").filter({ hasText: "Managers" });
  await expect(row).toContainText("You alone");

  await page.setViewportSize({ width: 360, height: 740 });
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0);
  await page.getByRole("main").getByRole("link", { name: "Delete Managers" }).click();
  const question = page.getByRole("dialog", { name: "Delete this view?" }).or(page.getByRole("alertdialog"));
  await question.getByRole("button", { name: "Delete" }).click();
  await expectToBeTold(page, "The view was deleted.");
  await expect(main.getByRole("link", { name: "Managers", exact: true })).toHaveCount(0);
});
