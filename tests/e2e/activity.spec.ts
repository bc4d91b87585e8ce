import { expect, expectToBeTold, openSignedIn, signIn, test } from "./product";

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
  await openSignedIn(other, product, `${product.origin}/admin/dashboard`);

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
