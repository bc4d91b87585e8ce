import { appendLines, withLogStore } from "../factories/logs";
import { expectNothingFound } from "./axe";
import { expect, expectToBeTold, openSignedIn, test } from "./product";

const LINE = "2026-11-20T20:00:31Z [NOTICE] late in the evening";

test.use({ timezoneId: "Asia/Tokyo" });

test("an operator takes the browser's time zone with one press @js", async ({ page, product }) => {
  await withLogStore(product.dataDir, (store) => appendLines(store, [LINE]));
  await openSignedIn(page, product, "/admin/logs?level=NOTICE");
  await expect(page.getByText("2026-11-20 20:00:31")).toBeVisible();
  const frame = page.getByRole("contentinfo");
  await frame.getByRole("button", { name: "Use Asia/Tokyo" }).click();
  await expect(page.getByText("2026-11-21 05:00:31")).toBeVisible();
  await expect(page).toHaveURL("/admin/logs?level=NOTICE");
  await expect(frame.getByRole("link", { name: "Asia/Tokyo" })).toBeVisible();
  await expect(frame.getByRole("button", { name: /Use/ })).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.getByText("2026-11-21 05:00", { exact: true })).toBeVisible();
});

test("an operator chooses a time zone, in which every screen shows times @js", async ({ page, product }) => {
  await withLogStore(product.dataDir, (store) => appendLines(store, [LINE]));
  await openSignedIn(page, product, "/admin/dashboard");
  await page.getByRole("contentinfo").getByRole("link", { name: "UTC" }).click();
  await expect(page.getByLabel("Time zone")).toBeVisible();
  await expectNothingFound(page, "the time zone");
  await page.getByLabel("Time zone").selectOption("Pacific/Auckland");
  await page.getByRole("button", { name: "Save time zone" }).click();
  await expectToBeTold(page, "Your time zone was saved.");
  await expect(page.getByLabel("Time zone")).toHaveValue("Pacific/Auckland");
  await page.goto("/admin/logs?level=NOTICE");
  const time = page.getByText("2026-11-21 09:00:31");
  await expect(time).toBeVisible();
  await expect(time).toHaveAttribute("title", "2026-11-20 20:00:31 UTC");
});
