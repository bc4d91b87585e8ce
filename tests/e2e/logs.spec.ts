import type { Page } from "@playwright/test";
import { withLogStore } from "../factories/logs";
import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, holdBack, openSignedIn, signIn, test } from "./product";

const FORGED = "name=x\n2026-01-01 [ERROR] forged\x1b[31m";
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString();
const LINES = [
  ...Array.from({ length: 25 }, (_, n) => `${at(n)} [INFO] request ${n}`),

  `${at(30)} [WARN] slow ${FORGED}`,
  `${at(31)} [ERROR] the database is away`,
  `${at(32)} [NOTICE] moved`,
  "of no form",
];

// The server itself logs nothing at this level, so that all counts are known.
test.use({ settings: { LOG_LEVEL: "fatal" } });
// One after the other, on one server.
test.describe.configure({ mode: "default" });

const group = (page: Page, level: string) => page.getByRole("region", { name: level, exact: true });
const visible = (page: Page, text: string) => page.getByText(text).filter({ visible: true });

test("a log is read by level, searched, linked and deleted", async ({ page, product, javaScriptEnabled }) => {
  const append = (lines: readonly string[]) => withLogStore(product.dataDir, (store) => store.append(lines));
  await openSignedIn(page, product, "/admin/dashboard");
  await page.getByRole("navigation", { name: "Back office" }).getByRole("link", { name: "Logs" }).click();
  await expect(page.getByRole("heading", { name: "System Logs", level: 1 })).toBeVisible();
  await expect(page.getByText("No logs available.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete All Logs" })).toBeDisabled();

  await append(LINES);
  await page.goto("/admin/logs");
  await expect(page.getByText("1 unparsed line is hidden")).toBeVisible();
  await expect(page.getByRole("region").getByRole("heading", { level: 2 })).toHaveText([
    "ERROR",
    "WARN",
    "INFO",
    "NOTICE",
  ]);
  await expect(group(page, "INFO")).toContainText("25");
  await expect(group(page, "INFO").getByRole("row")).toHaveCount(21);
  await expect(group(page, "WARN").getByRole("columnheader")).toHaveText(["#", "Date", "Message"]);
  await expect(visible(page, "slow name=x\\n2026-01-01 [ERROR] forged\\x1b[31m")).toBeVisible();
  await expectNothingFound(page, "System Logs");

  await group(page, "INFO").getByRole("link", { name: "All 25 lines of INFO" }).click();
  await expect(page).toHaveURL(/level=INFO/);
  await expect(group(page, "INFO").getByRole("row")).toHaveCount(26);
  await page.getByLabel("Level").selectOption("All levels");
  await page.getByLabel("Words in the line").fill("AWAY database");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(group(page, "ERROR")).toContainText("1 found here");
  await page
    .getByRole("link", { name: /Line 27 in/ })
    .filter({ visible: true })
    .click();
  await expect(page).toHaveURL(/\/admin\/logs\/27\?from=/);
  await expect(page.getByText(`${at(31)} [ERROR] the database is away`)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "moved" })).toBeVisible();
  await expectNothingFound(page, "a line of the log");

  await page.getByRole("link", { name: "Back to the logs" }).click();
  await expect(page.getByLabel("Words in the line")).toHaveValue("AWAY database");
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(group(page, "INFO")).toBeVisible();
  await page.getByRole("link", { name: "Delete All Logs" }).click();
  const question = page.getByRole("dialog", { name: "Delete All Logs" });
  await expect(question).toContainText(
    "Are you sure you want to delete all logs? This action cannot be undone.",
  );
  await question.getByRole("link", { name: "Cancel" }).click();
  await expect(group(page, "INFO")).toBeVisible();
  await page.getByRole("link", { name: "Delete All Logs" }).click();
  const release = javaScriptEnabled ? await holdBack(page, "**/admin/logs.data*") : undefined;
  await question.getByRole("button", { name: "Delete" }).click();
  if (release) {
    const deleting = page.getByRole("button", { name: "Deleting...", includeHidden: true });
    await expect(deleting).toHaveCount(2);
    for (const button of await deleting.all()) await expect(button).toBeDisabled();
    await expect(question.getByRole("button", { name: "Deleting..." })).toBeVisible();
    release();
  }
  await expectToBeTold(page, "All logs were deleted.");
  await expect(page.getByText("No logs available.")).toBeVisible();
  await page.goto("/admin/logs/27");
  await expect(page.getByText("This line no longer exists")).toBeVisible();
  await page.goto("/admin/activity");
  await expect(page.getByText("deleted the log: 29 lines")).toBeVisible();
});

test("on a small screen the lines are a list that opens @js", async ({ page, product }) => {
  await withLogStore(product.dataDir, (store) => store.append(LINES));
  await page.setViewportSize({ width: 360, height: 800 });
  await openSignedIn(page, product, "/admin/logs");
  await expect(page.getByRole("link", { name: "Delete Logs" })).toBeVisible();
  const entry = group(page, "ERROR").getByRole("listitem");
  const message = entry.getByText("the database is away").last();
  await expect(message).toBeHidden();
  // Local times appear with hydration; only then does an opened entry stay open.
  await expect(entry.locator("time")).not.toContainText("UTC");
  await entry.locator("summary").click();
  await expect(message).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNothingFound(page, "System Logs on a small screen", ONE_THEME);
});

test("a live page shows new lines by itself, until it is stopped @js", async ({ page, product }) => {
  const append = (line: string) => withLogStore(product.dataDir, (store) => store.append([line]));
  await append(`${at(1)} [INFO] the first`);
  await signIn(page, product);
  await page.goto("/admin/logs", { waitUntil: "networkidle" });
  await page.getByRole("link", { name: "Live" }).click();
  await expect(page.getByText("Live: new lines appear automatically.")).toBeVisible();
  await append(`${at(2)} [ERROR] the second`);
  await expect(visible(page, "the second")).toBeVisible();
  // An unavailable server does not clear the page.
  await page.route("**/admin/logs/newest**", (route) => route.abort());
  await expect(page.getByText("The server could not be reached. Retrying.")).toBeVisible();
  await expect(visible(page, "the second")).toBeVisible();
  await page.unroute("**/admin/logs/newest**");
  await append(`${at(3)} [WARN] the third`);
  await expect(visible(page, "the third")).toBeVisible();
  await page.getByRole("link", { name: "Stop" }).click();
  await expect(page.getByRole("link", { name: "Live" })).toBeVisible();
  await expect(page).toHaveURL("/admin/logs");
});

test.describe("in another time zone", () => {
  test.use({ timezoneId: "Asia/Tokyo" });
  test("all times are UTC, but for the list of a small screen, and say so @js", async ({ page, product }) => {
    await withLogStore(product.dataDir, (store) => store.append(LINES));
    await openSignedIn(page, product, "/admin/logs?level=ERROR");
    await expect(page.getByText("2026-11-20 12:00:31")).toBeVisible();
    await expect(visible(page, "All times are UTC.")).toBeVisible();
    await group(page, "ERROR")
      .getByRole("link", { name: /in context/ })
      .first()
      .click();
    await expect(page.getByText("All times are UTC.")).toBeVisible();
    await expect(page.locator("[aria-current=true]")).toContainText("2026-11-20 12:00:31");

    await page.goto("/admin/logs?level=ERROR");
    await page.setViewportSize({ width: 360, height: 800 });
    await expect(page.getByText("11/20/2026 21:00", { exact: true })).toBeVisible();
    await expect(visible(page, "Times in the list are Asia/Tokyo, all others UTC.")).toBeVisible();

    await page.goto("/admin/activity");
    await expect(page.getByText("All times are UTC.")).toBeVisible();
  });
});
