import AxeBuilder from "@axe-core/playwright";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, logInForTheFirstTime, test } from "./product";

const PASSWORD = "a new password of my own";

async function logIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByLabel("Email").fill("superadmin@example.com");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard/, { timeout: 10_000 });
}

test("an operator ends another session, which is out with its next click", async ({
  browser,
  page,
  product,
}, { project }) => {
  test.setTimeout(120_000);
  await logInForTheFirstTime(page, product, PASSWORD);
  const elsewhere = await browser.newContext({
    javaScriptEnabled: project.name === "js",
    userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
  });
  const other = await elsewhere.newPage();
  await logIn(other, product.origin);

  await page.getByRole("link", { name: "See where you are logged in" }).click();
  await expect(page.getByRole("heading", { name: "My sessions", level: 1 })).toBeVisible();
  const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText("This session");
  await expect(sessions.first().getByRole("button")).toHaveCount(0);
  await expect(sessions.nth(1)).toContainText("Firefox on Windows");
  await sessions.nth(1).getByRole("button", { name: "End this session" }).click();
  await expect(page.getByRole("status")).toContainText("The session is ended.");
  await expect(sessions).toHaveCount(1);

  await other.getByRole("link", { name: "Activity" }).first().click();
  await expect(other).toHaveURL(/\/login/);
  await logIn(other, product.origin);
  await page.reload();
  await page.getByRole("button", { name: "End all others" }).click();
  await expect(page.getByRole("status")).toContainText("All your other sessions are ended.");
  await other.goto(`${product.origin}/admin/dashboard`);
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();

  await page.getByRole("link", { name: "Activity" }).first().click();
  await expect(page.getByText("ended another session of their own: Firefox on Windows")).toBeVisible();
});

test("an operator asks the activity for what matters, pages through it and takes a copy", async ({
  page,
  product,
}) => {
  test.setTimeout(120_000);
  await logInForTheFirstTime(page, product, PASSWORD);
  // More deeds than a page holds: a visitor without cookies goes on and off.
  for (let times = 0; times < 30; times += 1) {
    const answer = await fetch(`${product.origin}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ email: "superadmin@example.com", password: PASSWORD }),
    });
    const Cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    await fetch(`${product.origin}/logout`, {
      method: "POST",
      redirect: "manual",
      headers: { "Sec-Fetch-Site": "same-origin", Cookie },
    });
  }

  await page.goto("/admin/activity");
  await expect(page.getByText("50 entries on this page")).toBeVisible();
  await expect(page.getByText("The server made the first superadmin")).toHaveCount(0);
  await page.getByRole("link", { name: "Older entries" }).click();
  await expect(page.getByText(/The server made the first superadmin/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Older entries" })).toHaveCount(0);
  await page.getByRole("link", { name: "Newest entries" }).click();
  await expect(page.getByText("50 entries on this page")).toBeVisible();

  const filter = page.getByRole("search", { name: "Filter the activity" });
  await filter.getByLabel("What").selectOption("Password change");
  await filter.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/deed=change-password/);
  await expect(page.getByText("1 entry on this page")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "changed their password" })).toBeVisible();
  await expect(filter.getByLabel("What")).toHaveValue("change-password");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download these as CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^activity-\d{4}-\d{2}-\d{2}\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"superadmin@example.com changed their password"');

  await filter.getByLabel("To (UTC)").fill("2001-01-01");
  await filter.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await filter.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByText("took a copy of the activity: deed=change-password")).toBeVisible();
  await expect(filter.getByLabel("What")).toHaveValue("");
});

test("axe finds nothing on the activity and the sessions in either theme @js", async ({ page, product }) => {
  test.setTimeout(180_000);
  await logInForTheFirstTime(page, product, PASSWORD);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["/admin/activity", "/admin/activity?from=nonsense", "/admin/sessions"]) {
      await page.goto(path);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`,
        );
        expect(found, `${path}, ${width}, ${colorScheme}`).toEqual([]);
      }
    }
  }
});
