import { readFile } from "node:fs/promises";
import { logIn } from "../server-process";
import { expect, expectToBeTold, OWN_PASSWORD, signIn, test } from "./product";

test("an operator ends another session, which is out with its next click", async ({
  browser,
  page,
  product,
}, { project }) => {
  await signIn(page, product);
  const elsewhere = await browser.newContext({
    javaScriptEnabled: project.name === "js",
    userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
  });
  const other = await elsewhere.newPage();
  await signIn(other, product);
  await other.goto(`${product.origin}/admin/dashboard`);

  await page.goto("/admin/password-reset");
  await page.getByRole("link", { name: "See where you are logged in" }).click();
  await expect(page.getByRole("heading", { name: "My sessions", level: 1 })).toBeVisible();
  const sessions = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText("This session");
  await expect(sessions.first().getByRole("button")).toHaveCount(0);
  await expect(sessions.nth(1)).toContainText("Firefox on Windows");
  await sessions.nth(1).getByRole("button", { name: "End this session" }).click();
  await expectToBeTold(page, "The session was ended.");
  await expect(sessions).toHaveCount(1);

  await other.getByRole("link", { name: "Activity" }).first().click();
  await expect(other).toHaveURL(/\/login/);
  await signIn(other, product);
  await page.reload();
  await page.getByRole("button", { name: "End all others" }).click();
  await expectToBeTold(page, "All your other sessions were ended.");
  await other.goto(`${product.origin}/admin/dashboard`);
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();

  await page.getByRole("link", { name: "Activity" }).first().click();
  await expect(page.getByText("ended another session of their own: Firefox on Windows")).toBeVisible();
});

test("an operator asks the activity for what matters, pages through it and takes a copy @js", async ({
  page,
  product,
}) => {
  await signIn(page, product);
  // More than a page holds, and all of it by one login after the other.
  for (let times = 0; times < 50; times += 1) await logIn(product, OWN_PASSWORD);

  await page.goto("/admin/activity");
  await expect(page.getByText("50 entries on this page")).toBeVisible();
  await expect(page.getByText("The server created the first superadmin")).toHaveCount(0);
  await page.getByRole("link", { name: "Older entries" }).click();
  await expect(page.getByText(/The server created the first superadmin/)).toBeVisible();
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
  await expect(page.getByText("exported the activity: deed=change-password")).toBeVisible();
  await expect(filter.getByLabel("What")).toHaveValue("");
});
