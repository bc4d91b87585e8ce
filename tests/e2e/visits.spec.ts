import type { Locator } from "@playwright/test";
import { hours, minutes } from "~/lib/durations";
import { execute, readRows } from "../server/visitors";
import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, openSignedIn, signUp, test } from "./product";

/** The top of the status bar, at a height of 800. */
const FIRST_SCREEN = 800 - 28;

async function getBottom(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  return box ? box.y + box.height : Infinity;
}

test("what is new since the last visit is counted, marked and listed @js", async ({ page, product }) => {
  await signUp(product, { name: "Grace Hopper", email: "grace@example.com", role: "developer" });
  await page.setViewportSize({ width: 1280, height: 800 });
  await openSignedIn(page, product, "/admin/dashboard");
  await expect(page.getByText("since your last visit")).toHaveCount(0);

  // The visit ended three hours ago, before the signups.
  const ended = Math.floor((Date.now() - hours(3)) / minutes(1)) * minutes(1);
  // A page does not wait long for what it records in passing.
  await expect.poll(() => readRows(product, "select 1 from visits").length).toBe(1);
  execute(product, "update visits set last_seen_at = ?", ended);
  await signUp(product, { name: "Ada Byron", email: "ada@example.com", role: "manager" });
  await page.goto("/admin/dashboard");
  await expect(page.getByText("Your last visit ended 3 hours ago.")).toBeVisible();
  await expect(page.getByText("None since your last visit").first()).toBeVisible();
  const newest = page.getByRole("list", { name: "Newest" });
  const ada = newest.getByRole("listitem").filter({ hasText: "Ada Byron" });
  await expect(ada).toContainText("New");
  // The chart and the newest names are on the first screen.
  expect(await getBottom(newest)).toBeLessThan(FIRST_SCREEN);
  expect(await getBottom(page.locator("[data-slot=chart-drawing]").first())).toBeLessThan(FIRST_SCREEN);
  await expectNothingFound(page, "the dashboard with something new");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "the dashboard with something new, on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("link", { name: "+2 since your last visit" }).click();
  await expect(page).toHaveURL(/early-access\?since=\d{4}/);
  await expect(page.getByText("Only those new since your last visit.")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: "ada@example.com" });
  await expect(row.getByText("New", { exact: true })).toBeVisible();
  await expectNothingFound(page, "a table of what is new");
  await page.reload();
  await expect(row.getByText("New", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL(/early-access$/);
  await expect(page.getByRole("link", { name: "2 new since your last visit" })).toBeVisible();

  await page.goto("/admin/submissions/updates-signup?since=last-visit");
  await expect(page).toHaveURL(/updates-signup\?since=\d{4}/);
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();

  await page.goto("/admin/dashboard#early-access");
  const table = page.getByRole("region", { name: "Early Access", exact: true });
  await table.getByRole("link", { name: "Ada Byron" }).first().click();
  await expect(page.getByRole("heading", { name: "Ada Byron", level: 1 })).toBeVisible();
});
