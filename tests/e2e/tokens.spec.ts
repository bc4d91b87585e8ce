import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, openSignedIn, test } from "./product";

test("an operator creates a token, sees it once, a program sends an email with it, and it is revoked", async ({
  page,
  context,
  product,
  smtp,
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
  await expectNothingFound(page, "no token yet, and one that was refused");
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

  const send = () =>
    product.fetch("/api/Email/send-email", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ToEmail: "ada@example.com", Subject: "Hello", Content: "<p>Hello</p>" }),
    });
  expect((await send()).status).toBe(200);
  expect(smtp.emails.map(({ to }) => to)).toEqual([["ada@example.com"]]);
  const bearer = { Authorization: `Bearer ${token}` };
  // The log is stored in the background.
  await expect
    .poll(async () => (await product.fetch("/api/logger?limit=5", { headers: bearer })).json())
    .toHaveLength(5);
  const beyond = await product.fetch("/api/logger/delete-logs", { method: "DELETE", headers: bearer });
  expect([beyond.status, await beyond.json()]).toMatchObject([403, { code: "insufficient_scope" }]);

  await page.goto("/admin/tokens");
  await expect(page.locator("body")).not.toContainText(token);
  const row = page.getByRole("row").filter({ hasText: "Newsletter" });
  await expect(row).toContainText(token.slice(0, 11));
  await expect(row).toContainText("Send email, Read the log");
  await expect(row).toContainText("just now");
  await expect(row).toContainText("active");
  await row.getByRole("link", { name: "Revoke Newsletter" }).click();
  const question = page.getByRole("dialog", { name: "Revoke this token?" });
  await expect(question).toContainText("Its next call is refused");
  await expectNothingFound(page, "the question before a token is revoked");
  await question.getByRole("button", { name: "Yes, Revoke Token" }).click();
  await expect(page.getByRole("status")).toContainText("The token was revoked.");
  await expect(row).toContainText("revoked");
  await expect(row.getByRole("link")).toHaveCount(0);
  expect((await send()).status).toBe(401);
  expect(smtp.emails).toHaveLength(1);

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByText("How to call the API").click();
  await expect(page.getByRole("row").filter({ hasText: "Newsletter" })).toContainText("revoked");
  await expectNothingFound(page, "the tokens on a small screen", ONE_THEME);
});
