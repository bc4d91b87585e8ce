import type { Locator, Page } from "@playwright/test";
import { hostname } from "node:os";
import { days, hours, minutes, seconds } from "~/lib/durations";
import { shortUtcDay, utcDay } from "~/lib/utc-day";
import { createHistory } from "~/services/resources/history.server";
import { withDataFolder } from "../factories/data-folder";
import { appendLines, withLogStore } from "../factories/logs";
import { createSystemResources } from "../factories/resources";
import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, openSignedIn, signUp, test } from "./product";
import { OTHER_SETTINGS } from "./shared-servers";

// The server itself logs nothing at this level, so that all counts are known.
test.use({ settings: OTHER_SETTINGS });

/** Returns a point of a chart's drawing: from 0 at the left and the top to 1. */
async function pointIn(chart: Locator, across: number, down: number): Promise<{ x: number; y: number }> {
  const drawing = chart.locator("[data-slot=chart-drawing]");
  await drawing.scrollIntoViewIfNeeded();
  const box = await drawing.boundingBox();
  if (!box) throw new Error("the chart is not shown");
  return { x: box.x + box.width * across, y: box.y + box.height * down };
}

const signups = (page: Page) =>
  page.getByRole("figure", { name: "Columns: signups by day, stacked by form" });
const lines = (page: Page) => page.getByRole("figure", { name: "Lines of all levels per hour" });

test("a day of signups leads to its rows, with none too", async ({ page, product, javaScriptEnabled }) => {
  await signUp(product, { name: "Grace Hopper", email: "grace@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const chart = signups(page);
  await expect(chart).toBeVisible();
  const today = Date.now();
  const keys = chart.getByRole("slider");
  if (javaScriptEnabled) {
    await expect(keys).toHaveAttribute(
      "aria-valuetext",
      `${shortUtcDay(today)}: Early Access 1, Contact Form 0, Updates 0`,
    );
  } else {
    await expect(keys).toHaveCount(0);
  }
  await expectNothingFound(page, "the dashboard's charts");

  // The first column has no signup, and its whole height is the link.
  const { x, y } = await pointIn(chart, 0.01, 0.4);
  await page.mouse.click(x, y);
  const first = utcDay(today - days(29));
  await expect(page).toHaveURL(new RegExp(`/admin/submissions/early-access\\?from=${first}&to=${first}$`));
  await expect(page.getByText("grace@example.com")).toHaveCount(0);

  await page.goto("/admin/dashboard");
  await page.getByText("Exact numbers").first().click();
  await page.getByRole("link", { name: shortUtcDay(today), exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`from=${utcDay(today)}&to=${utcDay(today)}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Submissions");
  await expect(page.getByRole("row").filter({ hasText: "grace@example.com" })).toBeVisible();
  await page.getByRole("link", { name: /^Contact Form/ }).click();
  await expect(page).toHaveURL(new RegExp(`contact-form\\?from=${utcDay(today)}`));
});

test("an hour of the log is one click away @js", async ({ page, product }) => {
  const now = Date.now();
  const at = (ago: number) => new Date(now - ago).toISOString();
  await withLogStore(product.dataDir, (store) =>
    appendLines(store, [
      `${at(hours(3))} [INFO] three hours ago`,
      `${at(0)} [ERROR] the database is away`,
      `${at(0)} [INFO] a request`,
    ]),
  );
  await openSignedIn(page, product, "/admin/logs");
  const chart = lines(page);
  const legend = page.locator("[data-slot=chart-legend]");
  await expect(legend).toContainText(/24 hours.*ERROR\s*1.*WARN\s*0.*INFO\s*2.*All\s*3/);
  const last = await pointIn(chart, 0.99, 0.03);
  // A move before the page is hydrated shows nothing.
  await expect(async () => {
    await page.mouse.move(last.x - 1, last.y);
    await page.mouse.move(last.x, last.y);
    await expect(legend).toContainText(/:00.*ERROR\s*1.*WARN\s*0.*INFO\s*1.*All\s*2/, { timeout: 500 });
  }).toPass();
  await page.mouse.move(0, 0);
  await expect(legend).toContainText("24 hours");
  await page.mouse.click(last.x, last.y);
  await expect(page).toHaveURL(/\/admin\/logs\?from=\d{4}-\d\d-\d\d&fromTime=\d\d%3A00&to=\d{4}-\d\d-\d\d/);
  await expect(page.getByLabel("From time")).toHaveValue(/^\d\d:00$/);
  await expect(page.getByText("the database is away").first()).toBeVisible();
  await expect(page.getByText("three hours ago")).toHaveCount(0);
  await expectNothingFound(page, "one hour of the log");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "one hour of the log on a small screen", ONE_THEME);
  await page.getByRole("link", { name: "Show all hours" }).click();
  await expect(page).toHaveURL(/\/admin\/logs$/);
  await expect(page.getByText("three hours ago").first()).toBeAttached();
});

test("arrow keys read a chart, and Enter opens a column @js", async ({ page, product }) => {
  await withLogStore(product.dataDir, (store) =>
    appendLines(store, [`${new Date(Date.now() - hours(1)).toISOString()} [WARN] an hour ago`]),
  );
  await openSignedIn(page, product, "/admin/logs");
  const keys = lines(page).getByRole("slider");
  const legend = page.locator("[data-slot=chart-legend]");
  await keys.focus();
  await expect(keys).toHaveAttribute("aria-valuenow", "24");
  await page.keyboard.press("ArrowLeft");
  await expect(keys).toHaveAttribute("aria-valuetext", /:00: ERROR \d+, WARN [1-9]\d*, INFO \d+$/);
  await expect(legend).toContainText(/WARN\s*[1-9]/);
  await page.keyboard.press("Home");
  await expect(keys).toHaveAttribute("aria-valuenow", "1");
  await page.keyboard.press("ArrowLeft");
  await expect(keys).toHaveAttribute("aria-valuenow", "1");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/fromTime=/);
  await expect(page.getByText("an hour ago").first()).toBeVisible();
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("the first tap reads a column, the second one opens it @js", async ({ page, product }) => {
    await withLogStore(product.dataDir, (store) =>
      appendLines(store, [`${new Date().toISOString()} [INFO] now`]),
    );
    await openSignedIn(page, product, "/admin/logs");
    const chart = lines(page);
    await expect(chart.getByRole("slider")).toBeAttached();
    const { x, y } = await pointIn(chart, 0.99, 0.03);
    await page.touchscreen.tap(x, y);
    await expect(page.locator("[data-slot=chart-legend]")).not.toContainText("24 hours");
    await expect(page).toHaveURL(/\/admin\/logs$/);
    await page.touchscreen.tap(x, y);
    await expect(page).toHaveURL(/fromTime=/);
  });
});

test("the marks of a month go when its day is shown @js", async ({ page, product }) => {
  const now = Date.now();
  // Nothing measures meetings here, so that the server has no incidents of them itself.
  const incident = { instance: hostname(), kind: "meetings", peak: 13, emailed_at: null } as const;
  await withDataFolder(product.dataDir, async (database) => {
    const history = createHistory({ database, clock: () => now, instance: hostname() });
    await history.add(createSystemResources({ meetings: 13 }), now - minutes(8));
    await history.flush();
    // Within one point of the month; both before the newest point of the day.
    const rows = [seconds(440), seconds(400)].map((ago, index) => ({
      ...incident,
      id: `${index}`,
      began_at: now - ago,
      ended_at: now - ago + seconds(30),
    }));
    await database.write((trx) => trx.insertInto("resource_incidents").values(rows).execute());
  });
  await openSignedIn(page, product, "/admin/resouces-monitor?over=month");
  const marks = page.getByRole("figure", { name: /^Meetings/ }).locator("[data-incident]");
  await expect(marks).toHaveCount(2);
  await page.getByRole("link", { name: "Last 24 hours" }).click();
  await expect(page.getByRole("figure", { name: /^Meetings.*24 hours/ })).toBeVisible();
  await expect(marks).toHaveCount(2);
});

test("one crosshair reads all charts of the history @js", async ({ page, product }) => {
  const now = Date.now();
  await withDataFolder(product.dataDir, async (database) => {
    const history = createHistory({ database, clock: () => now, instance: hostname() });
    for (const ago of [4, 3, 2])
      await history.add(createSystemResources({ cpu: 20 * ago }), now - minutes(ago));
    await history.flush();
  });
  await openSignedIn(page, product, "/admin/resouces-monitor");
  const cpu = page.getByRole("figure", { name: /^CPU, the last 24 hours/ });
  await cpu.getByRole("slider").focus();
  await expect(page.locator("[data-crosshair]")).toHaveCount(5);
  const time = await page.locator("[data-crosshair] text").allTextContents();
  expect(new Set(time).size).toBe(1);
  expect(time[0]).toMatch(/^\d+ \w{3} \d\d:\d\d$/);
  await expectNothingFound(page, "the history under the crosshair");
});
