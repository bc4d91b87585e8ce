import { expectNothingFound } from "./axe";
import { botPosts, expect, openSignedIn, postForm, signIn, signUp, test } from "./product";

test("a list is worked by keys, and Back returns to its row @js", async ({ page, product }) => {
  for (const name of ["Ada Byron", "Grace Hopper", "Alan Turing"])
    await signUp(product, { name, email: `${name.slice(0, 3).toLowerCase()}@example.com` });
  await openSignedIn(page, product, "/admin/submissions/early-access");
  const link = (name: string) => page.getByRole("row").getByRole("link", { name });
  const row = page.locator("[data-slot=detail]");
  const selected = page.getByRole("group", { name: "Selected" });

  await expect(async () => {
    await page.keyboard.press("j");
    await expect(link("Alan Turing")).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("ArrowDown");
  await expect(link("Grace Hopper")).toBeFocused();
  await page.keyboard.press("k");
  await expect(link("Alan Turing")).toBeFocused();

  await page.keyboard.press("x");
  await expect(selected).toContainText("1 selected");
  await page.keyboard.press("Shift+J");
  await expect(selected).toContainText("2 selected");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(selected).toContainText("3 selected");
  await expectNothingFound(page, "a selection");
  await page.keyboard.press("Escape");
  await expect(selected).toBeHidden();

  await page.keyboard.press("#");
  const question = page.getByRole("dialog", { name: "Delete 1 submission?" });
  await expect(question).toContainText("Ada Byron");
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(selected).toContainText("1 selected");
  await page.keyboard.press("Escape");

  await page.keyboard.press("k");
  await expect(link("Grace Hopper")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Grace Hopper" })).toBeVisible();
  await page.goBack();
  // The link kept the focus while its row was open: only without the row the list is back.
  await expect(row).toHaveCount(0);
  await expect(link("Grace Hopper")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Grace Hopper" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row).toHaveCount(0);
  await expect(link("Grace Hopper")).toBeFocused();
  // The page's address still has the selection of the question, if the list came with it.
  await page.keyboard.press("Escape");
  await expect(selected).toBeHidden();
  await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);

  await page.keyboard.press("/");
  await page.keyboard.type("jx#");
  await expect(page.getByLabel("Name, email or company")).toHaveValue("jx#");
  await expect(selected).toBeHidden();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a selection that an open row hides is left alone by the keys @js", async ({ page, product }) => {
  await page.setViewportSize({ width: 1000, height: 800 });
  for (const name of ["Ada Byron", "Grace Hopper"])
    await signUp(product, { name, email: `${name.slice(0, 3).toLowerCase()}@example.com` });
  await openSignedIn(page, product, "/admin/submissions/early-access");
  const box = page.getByRole("checkbox", { name: "Select the submission of Grace Hopper" });
  await box.check();
  await page.getByRole("row").getByRole("link", { name: "Ada Byron" }).click();
  await expect(page.getByRole("heading", { name: "Ada Byron" })).toBeVisible();
  await expect(box).toBeHidden();
  await page.keyboard.press("#");
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-slot=detail]")).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(box).toBeChecked();
});

test("j and k move over sessions and search results too @js", async ({ page, product }) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/search?q=ada");
  const hit = page.getByRole("main").getByRole("listitem").getByRole("link").first();
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(hit).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.goto("/admin/sessions");
  const session = page.getByRole("list", { name: "Sessions" }).getByRole("listitem").first();
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(session).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("main")).toBeFocused();
});

test("a row without a link has the cursor too, and gets it back after its question @js", async ({
  page,
  product,
}) => {
  for (const name of ["one", "two"]) await botPosts(product, { name, email: `${name}@example.com` });
  await openSignedIn(page, product, "/admin/quarantine");
  const row = page.getByRole("row").filter({ hasText: "one@example.com" });
  const question = page.getByRole("dialog", { name: "Purge 1 submission?" });
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(row).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("#");
  await expect(question.getByRole("link", { name: "Keep them here" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(row).toBeFocused();
  await expect(row.getByRole("checkbox")).toBeChecked();
});

test("Escape leads back to the list whose row was opened, also to that of the dashboard @js", async ({
  page,
  product,
}) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const newest = page.getByRole("list", { name: "Newest" }).getByRole("link", { name: "Ada Byron" });
  // The table of the chart's numbers is for screen readers: no cursor is seen there.
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(newest).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Ada Byron" })).toBeVisible();
  // With the focus the page knows what it was opened from.
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/admin/dashboard");
  await expect(newest).toBeFocused();
});

test("the down arrow leads from the search to the rows, and Escape closes further filters @js", async ({
  page,
  product,
}) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/submissions/early-access");
  const search = page.getByRole("main").getByRole("searchbox");
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(search).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("row").getByRole("link", { name: "Ada Byron" })).toBeFocused();
  const more = page.getByRole("main").locator("summary", { hasText: "More filters" });
  const source = page.getByLabel("Source", { exact: true });
  await more.focus();
  await page.keyboard.press("Enter");
  await source.focus();
  await page.keyboard.press("Escape");
  await expect(source).toBeHidden();
  await expect(more).toBeFocused();
});

test("# asks before an address is released and an invitation is revoked @js", async ({ page, product }) => {
  const askOnFirstRow = async (text: string, question: string) => {
    const row = page.getByRole("row").filter({ hasText: text });
    await expect(async () => {
      await page.keyboard.press("j");
      await expect(row).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press("#");
    await expect(page.getByRole("dialog", { name: question })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(row).toBeFocused();
  };
  await signIn(page, product);
  await postForm(page, "/admin/suppressions/add", { intent: "one", address: "ada@example.com", note: "" });
  await page.goto("/admin/suppressions");
  await askOnFirstRow("ada@example.com", "Release 1 address?");

  const grace = { email: "grace@example.com", fullName: "Grace Hopper" };
  await postForm(page, "/admin/users", { intent: "invite", ...grace });
  await page.goto("/admin/users");
  await askOnFirstRow("grace@example.com", "Revoke this invitation?");
});
