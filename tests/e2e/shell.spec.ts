import { expectNothingFound } from "./axe";
import {
  expect,
  holdBack,
  openSignedIn,
  pressInTurn,
  signIn,
  signUp,
  test,
  waitForHydration,
} from "./product";

test("an operator finds a person and a screen from any page", async ({ page, product }, { project }) => {
  await signUp(product, { name: "Zoë Ångström", email: "zoe@example.com" });
  await openSignedIn(page, product, "/admin/search");
  const search = page.getByRole("search", { name: "Search" });
  await search.getByRole("searchbox").fill("ANGST");
  await search.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/\/admin\/search\?q=ANGST/);
  await page.getByRole("region", { name: "People" }).getByRole("link", { name: "Zoë Ångström" }).click();
  await expect(page.getByRole("heading", { name: "Zoë Ångström", level: 1 })).toBeVisible();
  await expect(page.getByRole("region", { name: "Details" })).toContainText("zoe@example.com");
  await page.goto("/admin/people?q=zoe%40example.com");
  await expect(page.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
  await expect(page.getByText("zoe@example.com")).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Name, email" })).toHaveValue("zoe@example.com");

  await page.goto("/admin/search?q=history");
  await page.getByRole("main").getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("heading", { name: "Activity", level: 1 })).toBeVisible();

  await page.goto("/admin/search?q=dark");
  await page.getByRole("main").getByRole("button", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page).toHaveURL(/\/admin\/search\?q=dark$/);

  await page.getByRole("link", { name: "Keyboard shortcuts" }).click();
  await page.getByRole("button", { name: "Turn single keys off" }).click();
  await expect(page.getByText("Single keys are off")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/shortcuts$/);
  if (project.name === "js") {
    const palette = page.getByRole("dialog", { name: "Search" });
    // Once it is open, the keys are off for certain.
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(palette).toHaveCount(0);
    await page.keyboard.press("?");
    await pressInTurn(page, "g", "d");
    await page.keyboard.press("Control+k");
    await expect(palette).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/admin\/shortcuts$/);
  }
  await page.getByRole("button", { name: "Turn single keys on" }).click();
  await expect(page.getByText("Single keys are on")).toBeVisible();
});

test("links are followed without loading a document @js", async ({ page, context, product }) => {
  await signIn(page, product);
  await page.goto("/admin/activity");
  const isSameDocument = () => page.evaluate(() => "isMarked" in document);
  await page.evaluate(() => Object.assign(document, { isMarked: true }));
  const rail = page.getByRole("navigation", { name: "Back office" });
  await rail.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  await page.getByRole("link", { name: "Contact Form Submissions" }).click();
  await expect(page).toHaveURL("/admin/dashboard#contact-form");
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Activity", level: 1 })).toBeVisible();
  expect(await isSameDocument()).toBe(true);

  const opened = context.waitForEvent("page");
  await rail.getByRole("link", { name: "Dashboard" }).click({ modifiers: ["ControlOrMeta"] });
  await expect((await opened).getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  await expect(page).toHaveURL("/admin/activity");
  expect(await isSameDocument()).toBe(true);

  await page.goto("/login");
  await page.goto("/unauthorized");
  await waitForHydration(page);
  await page.evaluate(() => Object.assign(document, { isMarked: true }));
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
  expect(await isSameDocument()).toBe(false);
});

test("the shortcuts open every screen, and do nothing in a field @js", async ({ page, product }) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(new URL(request.url()).pathname));
  await signUp(product, { name: "Zoë Ångström", email: "zoe@example.com" });
  await signIn(page, product);
  await page.goto("/admin/activity");
  expect(scripts.filter((path) => path.includes("palette"))).toEqual([]);

  await pressInTurn(page, "g", "d");
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();

  // Typed, not done.
  const title = page.getByLabel("Email Title");
  await title.fill("");
  await title.pressSequentially("g u/?");
  await expect(title).toHaveValue("g u/?");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  const field = palette.getByRole("combobox");
  await expect(field).toBeFocused();
  await expect(palette.getByRole("option").first()).toBeVisible();
  await expectNothingFound(page, "the palette");
  await field.fill("zoe");
  await expect(palette.getByRole("option")).toHaveText([/Zoë Ångström/]);
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await expect(palette.getByRole("status")).toHaveText("1 result");
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(title).toBeFocused();
  await expect(title).toHaveValue("g u/?");

  await page.getByRole("link", { name: "Search", exact: true }).click();
  await field.fill("ac");
  const options = palette.getByRole("option");
  await expect(options).toHaveText([
    /^User Management/,
    /^Add a user/,
    /^Remove a user/,
    /^Submissions/,
    /^Activity/,
    /^Download the activity/,
  ]);
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowUp");
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute(
    "aria-activedescendant",
    (await options.last().getAttribute("id")) ?? "",
  );
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Activity", level: 1 })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await field.fill("light");
  await expect(options).toHaveText([/^Light theme/]);
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expect(page).toHaveURL(/\/admin\/activity$/);

  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toBeVisible();
  await pressInTurn(page, "g", "d");
  await expectNothingFound(page, "the shortcuts over a page");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/admin\/activity$/);

  for (const path of ["/admin/search?q=a", "/admin/people?q=zo", "/admin/shortcuts"]) {
    await page.goto(path);
    await expectNothingFound(page, path);
  }
  await page.goto("/admin/search?q=zo");
  await expect(async () => {
    await page.getByRole("heading", { name: "Search", level: 1 }).click();
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox")).toBeFocused({ timeout: 500 });
  }).toPass();
});

test("a draft that is saved meanwhile leaves the chosen result of the search @js", async ({
  page,
  product,
}) => {
  await openSignedIn(page, product, "/admin/dashboard");
  const release = await holdBack(page, "**/admin/dashboard.data*");
  const saving = page.waitForRequest((request) => !!request.postData()?.includes("intent=autosave"));
  await page.getByLabel("Email Title").fill("We open on Monday");
  await saving;
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  const options = palette.getByRole("option");
  await palette.getByRole("combobox").fill("ac");
  await expect(options.first()).toHaveText(/^User Management/);
  await page.keyboard.press("ArrowUp");
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
  release();
  await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
});
