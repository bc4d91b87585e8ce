import type { Page } from "@playwright/test";
import { seconds } from "../../app/lib/durations";
import { appendLines, withLogStore } from "../factories/logs";
import { expectNothingFound, ONE_THEME } from "./axe";
import {
  applyFilter,
  expect,
  expectToBeTold,
  holdBack,
  openSignedIn,
  OWN_PASSWORD,
  signIn,
  submitLogin,
  test,
} from "./product";
import { OTHER_SETTINGS } from "./shared-servers";

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
test.use({ settings: OTHER_SETTINGS });
// One after the other, on one server.
test.describe.configure({ mode: "default" });

const group = (page: Page, level: string) => page.getByRole("region", { name: level, exact: true });
const visible = (page: Page, text: string) => page.getByText(text).filter({ visible: true });

test("a log is read by level, searched, linked and deleted", async ({ page, product, javaScriptEnabled }) => {
  const append = (lines: readonly string[]) =>
    withLogStore(product.dataDir, (store) => appendLines(store, lines));
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
  await page.getByLabel("Words in the line").fill("AWAY database");
  await page.getByLabel("Level", { exact: true }).selectOption("All levels");
  await applyFilter(page);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(group(page, "ERROR")).toContainText("1 found here");
  await page
    .getByRole("link", { name: /Line 27 in/ })
    .filter({ visible: true })
    .click();
  await expect(page).toHaveURL(/\/admin\/logs\/27\?from=/);
  await expect(page.getByLabel("Words in the line")).toHaveValue("AWAY database");
  await expect(page.getByText(`${at(31)} [ERROR] the database is away`)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "moved" })).toBeVisible();
  await expectNothingFound(page, "a line of the log");

  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Logs" }).click();
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
  // Asked beside an open line, too.
  await group(page, "NOTICE").getByRole("link", { name: "Line 28 in context" }).click();
  await expect(page).toHaveURL("/admin/logs/28");
  await page.getByRole("link", { name: "Delete All Logs" }).click();
  await expect(question).toBeVisible();
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

test("the log is read by time, newest first, in all levels @js", async ({ page, product }) => {
  const lines = Array.from(
    { length: 130 },
    (_, n) =>
      `${new Date(Date.UTC(2026, 10, 19, 8, n)).toISOString()} [${n % 2 ? "WARN" : "DEBUG"}] visit ${n}`,
  );
  await withLogStore(product.dataDir, (store) => appendLines(store, lines));
  await openSignedIn(page, product, "/admin/logs");
  await page
    .getByRole("navigation", { name: "Views of the log" })
    .getByRole("link", { name: "By time" })
    .click();
  await expect(page).toHaveURL("/admin/logs?view=time");
  const list = page.getByRole("list", { name: "Newest first" });
  await expect(list.getByRole("listitem")).toHaveCount(100);
  await expect(list.getByRole("listitem").first()).toContainText(/2026-11-19 10:09:00.*WARN\s*visit 129/);
  await expect(list.getByRole("listitem").nth(1)).toContainText(/DEBUG\s*visit 128/);
  await expectNothingFound(page, "the log by time");
  await page.getByRole("link", { name: "Older lines" }).click();
  await expect(page).toHaveURL(/\?view=time&before=\d+$/);
  await expect(list.getByRole("listitem").first()).toContainText("visit 29");
  await page.getByRole("link", { name: "Newer lines" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(100);
  await expect(list.getByRole("listitem").first()).toContainText("visit 129");
  await expect(page.getByRole("link", { name: "Newer lines" })).toHaveCount(0);
  await page.getByRole("link", { name: "Older lines" }).click();
  await page.getByRole("link", { name: "Newest lines" }).click();
  await expect(list.getByRole("listitem").first()).toContainText("visit 129");

  await page.getByText("More filters").click();
  await page.getByLabel("From", { exact: true }).fill("2026-11-19");
  await page.getByLabel("From time").fill("09:00");
  await page.getByLabel("To", { exact: true }).fill("2026-11-19");
  await page.getByLabel("To time").fill("09:10");
  await page.getByLabel("Level", { exact: true }).selectOption("WARN");
  await applyFilter(page);
  await expect(page).toHaveURL(/\?view=time&q=&level=WARN&from=2026-11-19&fromTime=09%3A00&to=/);
  await expect(list.getByRole("listitem")).toHaveCount(5);
  await expect(page.getByText("Only from 2026-11-19 09:00 to 09:10.")).toBeVisible();
  await list
    .getByRole("link", { name: /in context/ })
    .first()
    .click();
  await expect(page.locator("li[aria-current=true]").filter({ hasText: "visit 69" })).toBeInViewport();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Logs" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(5);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL("/admin/logs?view=time");
  await expect(list.getByRole("listitem")).toHaveCount(100);
  await page.getByRole("link", { name: "By level" }).click();
  await expect(page).toHaveURL("/admin/logs");
  await expect(group(page, "DEBUG")).toBeVisible();
});

test("a time of the filter is sent when it is typed, not while @js", async ({ page, product }) => {
  await withLogStore(product.dataDir, (store) => appendLines(store, LINES));
  await signIn(page, product);
  await page.clock.install();
  const url = "/admin/logs?from=2026-11-20&fromTime=14%3A20&to=2026-11-20";
  await page.goto(url, { waitUntil: "networkidle" });
  await page.clock.pauseAt(Date.now() + seconds(60));
  await page.getByText("More filters").click();
  const time = page.getByLabel("To time");
  const sent: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/admin/logs.data") sent.push(searchParams.get("toTime"));
  });
  await time.focus();
  // The first digit of the minutes is a time already, before the other one.
  await page.keyboard.type("144");
  await expect(time).toHaveValue("14:04");
  await page.clock.runFor(seconds(0.5));
  await page.keyboard.type("5");
  await page.clock.runFor(seconds(1));
  await expect(page).toHaveURL(/&fromTime=14%3A20&to=2026-11-20&toTime=14%3A45$/);
  expect(sent).toEqual(["14:45"]);
});

test("the live view by time shows new lines at the top, and holds them for a reader @js", async ({
  page,
  product,
}) => {
  const append = (...messages: string[]) =>
    withLogStore(product.dataDir, (store) =>
      appendLines(
        store,
        messages.map((message) => `${at(59)} [INFO] ${message}`),
      ),
    );
  await append(...Array.from({ length: 100 }, (_, n) => `earlier ${n}`));
  await signIn(page, product);
  await page.goto("/admin/logs?view=time", { waitUntil: "networkidle" });
  const live = page.getByRole("link", { name: "Live" });
  const remove = page.getByRole("link", { name: "Delete All Logs" });
  const before = await remove.boundingBox();
  await live.click();
  await expect(page.getByText("Live: new lines appear automatically.")).toBeVisible();
  expect(await remove.boundingBox()).toEqual(before);
  const first = page.getByRole("list", { name: "Newest first" }).getByRole("listitem").first();
  await append("comes by itself");
  await expect(first).toContainText("comes by itself");
  // A reader further down is not moved.
  const read = page.getByRole("listitem").filter({ hasText: /earlier 60$/ });
  await read.scrollIntoViewIfNeeded();
  await page
    .getByRole("listitem")
    .filter({ hasText: /earlier 30$/ })
    .scrollIntoViewIfNeeded();
  const place = await read.boundingBox();
  await append("waits", "waits, too");
  await expect(page.getByText("New lines are waiting.")).toBeAttached();
  expect(await read.boundingBox()).toEqual(place);
  await expectNothingFound(page, "a live log that holds new lines", ONE_THEME);
  await page.getByRole("button", { name: "2 new lines" }).click();
  await expect(first).toContainText("waits, too");
  await expect(first).toBeInViewport();
  await append("comes again");
  await expect(first).toContainText("comes again");
});

test("a line's page opens at its line, among the lines around it", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  const lines = Array.from({ length: 60 }, (_, n) => `${at(n % 60)} [TRACE] step ${n} ${"word ".repeat(60)}`);
  await withLogStore(product.dataDir, (store) => appendLines(store, lines));
  await openSignedIn(page, product, "/admin/logs?q=step+30");
  await group(page, "TRACE")
    .getByRole("link", { name: /in context/ })
    .click();
  await expect(page).toHaveURL(/\/admin\/logs\/\d+\?from=q%3Dstep%2B30$/);
  const detail = page.getByRole("region", { name: "Details" });
  const itsLine = detail.locator("li[aria-current=true]");
  await expect(itsLine).toContainText("step 30");
  await expect(itsLine).toBeInViewport();
  // In order of time, with lines of either side on the first screen; the focus stays in the list.
  await expect(detail.getByRole("listitem").filter({ hasText: /step (29|31) / })).toHaveCount(2);
  await expect(detail.getByRole("listitem").filter({ hasText: "step 29 " })).toBeInViewport();
  await expect(detail.getByRole("listitem").filter({ hasText: "step 50 " })).toHaveCount(1);
  if (javaScriptEnabled) {
    await expect(group(page, "TRACE").locator("a[aria-current=true]").first()).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  }
  await detail.getByRole("link", { name: /step 31 / }).click();
  await expect(itsLine).toContainText("step 31");
  await expect(itsLine).toBeInViewport();
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(page.url());
  await expect(group(page, "TRACE")).toBeHidden();
  await expect(itsLine).toBeInViewport();
  await expect(itsLine).toBeFocused();
});

test("on a small screen the lines are a list that opens @js", async ({ page, product }) => {
  await withLogStore(product.dataDir, (store) => appendLines(store, LINES));
  await page.setViewportSize({ width: 360, height: 800 });
  await openSignedIn(page, product, "/admin/logs");
  await expect(page.getByRole("link", { name: "Delete Logs" })).toBeVisible();
  const entry = group(page, "ERROR").getByRole("listitem");
  const message = entry.getByText("the database is away").last();
  await expect(message).toBeHidden();
  await expect(entry.locator("time")).toHaveText("2026-11-20 12:00");
  await entry.locator("summary").click();
  await expect(message).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNothingFound(page, "System Logs on a small screen", ONE_THEME);
});

test("a live page shows new lines by itself, until it is stopped @js", async ({ page, product }) => {
  const append = (line: string) => withLogStore(product.dataDir, (store) => appendLines(store, [line]));
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

test("a live page leads to the login once its session has ended, and back to itself @js", async ({
  page,
  product,
}) => {
  await openSignedIn(page, product, "/admin/logs?live=on");
  const live = page.getByText("Live: new lines appear automatically.");
  await expect(live).toBeVisible();
  await page.context().clearCookies();
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Fadmin%2Flogs%3Flive%3Don$/);
  await submitLogin(page, "superadmin@example.com", OWN_PASSWORD);
  await expect(page).toHaveURL("/admin/logs?live=on");
  await expect(live).toBeVisible();
});

test("a line keeps its place on the screen when it opens and closes beside the log @js", async ({
  page,
  product,
}) => {
  // One line of the wide list, two of the one beside a row.
  const lines = Array.from(
    { length: 30 },
    (_, n) => `${at(n)} [INFO] line ${n} ${"of more words ".repeat(5)}`,
  );
  await withLogStore(product.dataDir, (store) => appendLines(store, lines));
  await signIn(page, product);
  for (const path of ["/admin/logs", "/admin/logs?view=time"]) {
    await page.goto(path);
    const row = page.locator("[data-slot=list] :is(tr, li)").filter({ hasText: "line 20 of", visible: true });
    const getTop = async () => Math.round((await row.boundingBox())?.y ?? 0);
    const link = row.getByRole("link");
    await link.focus();
    const top = await getTop();
    await page.keyboard.press("Enter");
    const detail = page.getByRole("region", { name: "Details" });
    await expect(detail).toBeVisible();
    await expect(link).toBeFocused();
    expect(await getTop()).toBe(top);
    await page.keyboard.press("Escape");
    await expect(detail).toHaveCount(0);
    await expect(link).toBeFocused();
    expect(await getTop()).toBe(top);
  }
});
