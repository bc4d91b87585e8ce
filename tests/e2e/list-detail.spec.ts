import { submit } from "../server/visitors";
import { expectNothingFound, ONE_THEME } from "./axe";
import { agedStamp, expect, openSignedIn, signUp, test } from "./product";

const TABLE = "/admin/submissions/early-access";
const NAMES = ["Ada Byron", "Grace Hopper", "Alan Turing"];

test("a row opens beside its list, and below 1200 pixels in its place", async ({ page, product }) => {
  for (const name of NAMES)
    await signUp(product, { name, email: `${name.slice(0, 3).toLowerCase()}@example.com` });
  await openSignedIn(page, product, `${TABLE}?sort=name`);
  const table = page.getByRole("table", { name: /early access/i });
  const name = table.getByRole("columnheader", { name: "Name" });
  await expect(name).toHaveAttribute("aria-sort", "ascending");
  await name.getByRole("link", { name: "Name" }).click();
  await expect(page).toHaveURL(`${TABLE}?sort=name&order=desc`);
  await expect(name).toHaveAttribute("aria-sort", "descending");
  await expectNothingFound(page, "a sorted table");

  const link = (name: string) => table.getByRole("link", { name });
  await page.waitForLoadState();
  const before = await link("Alan Turing").boundingBox();
  await link("Alan Turing").click();
  const detail = page.getByRole("region", { name: "Details" });
  await expect(detail.getByRole("heading", { name: "Alan Turing" })).toBeVisible();
  await expect(page).toHaveURL(/early-access\/[\w-]{36}\?from=sort%3Dname%26order%3Ddesc$/);
  await expect(link("Alan Turing")).toHaveAttribute("aria-current", "true");
  await expect(name).toHaveAttribute("aria-sort", "descending");
  await page.waitForLoadState();
  expect((await link("Alan Turing").boundingBox())?.y).toBe(before?.y);
  await expectNothingFound(page, "a row beside its list");

  await page.setViewportSize({ width: 360, height: 800 });
  await expect(detail).toBeVisible();
  await expect(table).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNothingFound(page, "a row in place of its list", ONE_THEME);
  await page
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "Submissions" })
    .click();
  await expect(page).toHaveURL(`${TABLE}?sort=name&order=desc`);
  await expect(detail).toHaveCount(0);
  // The headers that sort are a line above the cards.
  await page.getByRole("link", { name: "Received" }).click();
  await expect(page).toHaveURL(TABLE);
  await expectNothingFound(page, "a list of cards with its order", ONE_THEME);
});

test("the list beside an open row keeps its selection, cursor and place @js", async ({ page, product }) => {
  for (const name of NAMES)
    await signUp(product, { name, email: `${name.slice(0, 3).toLowerCase()}@example.com` });
  await openSignedIn(page, product, TABLE);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const link = (name: string) => page.getByRole("row").getByRole("link", { name });
  const detail = page.getByRole("region", { name: "Details" });
  const heading = (name: string) => detail.getByRole("heading", { name });
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(link("Alan Turing")).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.getByRole("checkbox", { name: "Select the submission of Ada Byron" }).check();
  await link("Alan Turing").focus();
  await page.keyboard.press("Enter");
  await expect(heading("Alan Turing")).toBeVisible();
  await expect(link("Alan Turing")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(heading("Grace Hopper")).toBeVisible();
  await expect(link("Grace Hopper")).toBeFocused();
  await expect(page.getByRole("checkbox", { name: "Select the submission of Ada Byron" })).toBeChecked();
  // The list was not read again.
  const read = requests.filter((url) => url.includes(".data")).map((url) => new URL(url));
  expect(read.every(({ searchParams }) => searchParams.get("_routes")?.includes("$kind.$id"))).toBe(true);

  await page.getByRole("checkbox", { name: "Select the submission of Ada Byron" }).uncheck();
  await link("Grace Hopper").focus();
  // The cursor stays where it is, also when it left the open row.
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);
  await expect(link("Ada Byron")).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(heading("Grace Hopper")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);
  await expect(page).toHaveURL(TABLE);
  await expect(link("Grace Hopper")).toBeFocused();

  // Who types into the search before the list is there goes on typing.
  await page.keyboard.press("Enter");
  await expect(heading("Grace Hopper")).toBeVisible();
  await page.evaluate(() => {
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    document.querySelector<HTMLElement>("main input[type=search]")?.focus();
  });
  await expect(detail).toHaveCount(0);
  await expect(page.locator("main").getByRole("searchbox").first()).toBeFocused();
  // Escape closes a question, and then leads to the list and not to the question again.
  await link("Grace Hopper").focus();
  await page.keyboard.press("Enter");
  await detail.getByRole("link", { name: "Erase this person" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await link("Ada Byron").click();
  await expect(heading("Ada Byron")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);
  await expect(page).toHaveURL(TABLE);
  // After a form the list is read again.
  await link("Grace Hopper").focus();
  await page.keyboard.press("Enter");
  await detail.getByRole("link", { name: "Erase this person" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Erase this person" }).click();
  await expect(page).toHaveURL(new RegExp(TABLE));
  await expect(link("Ada Byron")).toBeVisible();
  await expect(link("Grace Hopper")).toHaveCount(0);
});

test("a form on the page of an open row leaves the selection beside it @js", async ({ page, product }) => {
  for (const fullName of NAMES) {
    const email = `${fullName.slice(0, 3).toLowerCase()}@example.com`;
    await submit(product, "/contact", { fullName, email, message: "Hello", stamp: agedStamp() });
  }
  await openSignedIn(page, product, "/admin/submissions/contact-form?status=open");
  const box = (name: string) => page.getByRole("checkbox", { name: `Select the submission of ${name}` });
  const selected = page.getByRole("group", { name: "Selected" });
  const detail = page.getByRole("region", { name: "Details" });
  await expect(async () => {
    await box("Ada Byron").check();
    await expect(selected).toContainText("1 selected", { timeout: 500 });
  }).toPass();
  await box("Grace Hopper").check();
  await page.getByRole("row").getByRole("link", { name: "Ada Byron", exact: true }).click();
  await detail.getByLabel("Add a note").fill("Met in Turin.");
  await detail.getByRole("button", { name: "Add note" }).click();
  await expect(detail.getByText("Met in Turin.")).toBeVisible();
  await expect(selected).toContainText("2 selected");
  await detail.getByRole("button", { name: "Mark as answered : Ada Byron" }).click();
  await expect(box("Ada Byron")).toHaveCount(0);
  await expect(selected).toContainText("1 selected");
  await expect(box("Grace Hopper")).toBeChecked();
});
