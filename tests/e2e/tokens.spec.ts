import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, openSignedIn, test, expectToBeTold } from "./product";

test("an operator creates a token, sees it once, a program uses it, and it is revoked", async ({
  page,
  context,
  product,
  javaScriptEnabled,
}) => {
  await openSignedIn(page, product, "/admin/tokens");
  await expect(page.getByText(`curl ${product.origin}/api/Email/send-email`)).toBeVisible();

  await page.getByRole("button", { name: "Create Token" }).click();
  await expect(page.getByRole("alert")).toContainText("The token was not created");
  await expect(page.getByLabel("Name", { exact: true })).toHaveAccessibleDescription(
    "Please enter the name.",
  );
  if (javaScriptEnabled) await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await expectNothingFound(page, "no token yet, and one that was refused", ONE_THEME);
  await page.getByLabel("Name", { exact: true }).fill("Newsletter");
  await page.getByLabel("Expires").selectOption("In a year");
  await page.getByRole("checkbox", { name: "Send email" }).check();
  await page.getByRole("checkbox", { name: "Read the log" }).check();
  await page.getByRole("button", { name: "Create Token" }).click();
  await expect(page.getByRole("status")).toContainText("The token Newsletter was created");
  const token = await page.getByRole("status").locator("code").innerText();
  await expectNothingFound(page, "a token that was made");
  if (javaScriptEnabled) {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy" }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  }

  if (javaScriptEnabled) {
    // What is typed after that stays while the answer goes.
    await page.getByLabel("Name", { exact: true }).fill("Next one");
    await page.getByRole("link", { name: "Revoke Newsletter" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Keep it" }).click();
    await expect(page.locator("body")).not.toContainText(token);
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Next one");
  }

  const headers = { Authorization: `Bearer ${token}` };
  expect((await product.fetch("/api/logger", { headers })).status).toBe(200);

  await page.goto("/admin/tokens?sort=name&order=desc");
  await expect(page.locator("body")).not.toContainText(token);
  const row = page.getByRole("row").filter({ hasText: "Newsletter" });
  await expect(row).toContainText(token.slice(0, 11));
  await expect(row).toContainText("Send email, Read the log");
  await expect(row).toContainText("just now");
  await expect(row).toContainText("active");
  await row.getByRole("link", { name: "Revoke Newsletter" }).click();
  const question = page.getByRole("dialog", { name: "Revoke this token?" });
  await expect(question).toContainText("Its next call is refused");
  await expectNothingFound(page, "the question before a token is revoked", ONE_THEME);
  await question.getByRole("button", { name: "Yes, Revoke Token" }).click();
  await expectToBeTold(page, "The token was revoked.");
  await expect(page).toHaveURL(/\?sort=name&order=desc(&notice=token-revoked)?$/);
  await expect(row).toContainText("revoked");
  await expect(row.getByRole("link")).toHaveCount(0);
  expect((await product.fetch("/api/logger", { headers })).status).toBe(401);

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByText("How to call the API").click();
  await expect(page.getByRole("row").filter({ hasText: "Newsletter" })).toContainText("revoked");
  await expectNothingFound(page, "the tokens on a small screen", ONE_THEME);
});
