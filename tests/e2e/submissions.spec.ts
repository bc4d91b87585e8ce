import { minutes, seconds } from "~/lib/durations";
import { expectNothingFound, ONE_THEME } from "./axe";
import { applyFilter, expect, holdBack, openSignedIn, signUp, test, expectToBeTold } from "./product";

test("submissions are charted, found, exported, deleted and restored", async ({ page, product }) => {
  await signUp(product, { name: "Grace Hopper", email: "grace@example.com", role: "developer" });
  const company = "Long words ".repeat(8);
  await signUp(product, { name: "Ada Byron", email: "ada@example.com", role: "manager", company });
  await openSignedIn(page, product, "/admin/dashboard");
  await expect(page.getByRole("img", { name: /Columns: submissions by form/ })).toBeVisible();
  await expect(page.getByRole("row", { name: "Early Access 2" })).toBeVisible();
  await page.getByRole("link", { name: "By week" }).click();
  await expect(page).toHaveURL(/over=week/);
  await expect(page.getByRole("figure", { name: "Columns: signups by week, stacked by form" })).toBeVisible();
  await expect(page.locator("[data-slot=chart-legend]")).toContainText(/26 weeks.*Early Access\s*2/);
  await page.getByText("Exact numbers").click();
  await expectNothingFound(page, "the dashboard");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "the dashboard on a small screen", ONE_THEME);
  await page.goto("/admin/submissions/early-access?from=x");
  await expectNothingFound(page, "a filter that is not understood, on a small screen");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/admin/dashboard?over=week");

  await page.getByRole("link", { name: "Search, sort and export: Early Access" }).first().click();
  await expect(page.getByRole("heading", { name: "Submissions", level: 1 })).toBeVisible();
  await page.getByLabel("Name, email or company").fill("gra");
  await page.getByLabel("Role").selectOption("developer");
  await applyFilter(page);
  await expect(page).toHaveURL(/q=gra&choice=developer/);
  // The address changes before the links of the page do.
  await expect(page.getByText("1 of 2 early access signups match.")).toBeVisible();
  await page.getByRole("columnheader").getByRole("link", { name: "Name" }).click();
  await expect(page).toHaveURL(/q=gra&choice=developer.*sort=name/);
  // The address changes before the table, too, which forgets a selection.
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort");
  const grace = page.getByRole("row").filter({ hasText: "grace@example.com" });
  await expect(grace).toContainText("Grace Hopper");
  await expect(page.getByText("ada@example.com")).toHaveCount(0);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download these as CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^early-access-.*\.csv$/);

  await page.getByRole("checkbox", { name: "Select the submission of Grace Hopper" }).check();
  await expectNothingFound(page, "a table");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "a table on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Delete 1 submission?" });
  await expect(question).toContainText("You can undo this for ten minutes");
  await question.getByRole("button", { name: "Delete" }).click();
  const answer = page.getByRole("status").filter({ hasText: "1 submission deleted." });
  await expect(answer).toBeVisible();
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Deleted in the last ten minutes" })).toContainText(
    "1 submission, by superadmin@example.com",
  );
  await expect(answer.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expectToBeTold(page, "1 submission restored.");
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByText("ada@example.com")).toBeVisible();
  await expect(grace).toBeVisible();

  await page.getByRole("link", { name: "Delete all that match" }).click();
  const everything = page.getByRole("dialog", { name: "Delete 2 submissions?" });
  await everything.getByRole("button", { name: "Delete" }).click();
  const word = everything.getByLabel("Type the word delete to confirm");
  await expect(word).toHaveAccessibleDescription(/Nothing was deleted/);
  await word.fill("Delete");
  await everything.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("0 early access signups.")).toBeVisible();
  await expect(
    page.getByRole("heading", { name: "All submissions of this form were deleted" }),
  ).toBeVisible();

  await page.goto("/admin/activity");
  await expect(page.getByText("exported submissions: early-access", { exact: false })).toContainText(
    'found by "gra", role developer',
  );
});

test("the further filters stay open while their days are corrected @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/submissions/early-access");
  await page.getByText("More filters").click();
  await page.getByLabel("From", { exact: true }).fill("2026-11-10");
  await page.getByLabel("To", { exact: true }).fill("2026-11-01");
  await expect(page.getByLabel("To", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("To", { exact: true }).fill("2026-11-20");
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/to=2026-11-20/);
  await expect(page.getByLabel("To", { exact: true })).not.toHaveAttribute("aria-invalid");
  await expect(page.getByLabel("To", { exact: true })).toBeVisible();
});

test("a day that is picked while another page loads filters that page @js", async ({ page, product }) => {
  await signUp(product, { name: "Grace Hopper", email: "grace@example.com" });
  await openSignedIn(page, product, "/admin/submissions/early-access");
  await page.getByText("More filters").click();
  const release = await holdBack(page, "**/admin/submissions/early-access.data*");
  await page.getByRole("columnheader").getByRole("link", { name: "Name" }).click();
  // The page arrives before the day has rested long enough to be sent.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + minutes(1));
  await page.getByLabel("From", { exact: true }).fill("2999-01-01");
  release();
  await expect(page).toHaveURL(/sort=name/);
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort");
  await page.clock.runFor(seconds(1));
  await expect(page).toHaveURL(/from=2999-01-01.*sort=name|sort=name.*from=2999-01-01/);
  await expect(page.getByText("grace@example.com")).toHaveCount(0);
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("2999-01-01");
});
