import { expectNothingFound } from "./axe";
import { expect, expectToBeTold, openSignedIn, signUp, test } from "./product";

const SUPERADMIN = "superadmin@example.com";

test("a newcomer is led from the dashboard to the steps, and hides the card @js", async ({
  page,
  product,
}) => {
  await openSignedIn(page, product, "/admin/dashboard");
  const card = page.getByRole("region", { name: "Setup" });
  await expect(card).toContainText(/\d of 11 done/);
  await expect(card).toContainText("Next: Your own address");
  await card.getByRole("link", { name: "Continue setup" }).click();
  await expect(page.getByRole("heading", { name: "Setup", level: 1 })).toBeVisible();
  await expect(page.locator("#address")).toContainText("Set ORIGIN");
  await expect(page.locator("#address").getByText("ORIGIN", { exact: true }).first()).toBeVisible();
  await expectNothingFound(page, "Setup");

  await page.goto("/admin/dashboard");
  await card.getByRole("button", { name: "Hide the setup card" }).click();
  await expectToBeTold(page, "The setup card is hidden. Setup has it back.");
  await expect(card).toHaveCount(0);
  await page.goto("/admin/setup");
  await page.getByRole("button", { name: "Show it again" }).click();
  await expectToBeTold(page, "The setup card is on the dashboard again.");
  await page.goto("/admin/dashboard");
  await expect(card).toBeVisible();
});

test("a test email shows the mail server's answer", async ({ page, product, smtp }) => {
  await openSignedIn(page, product, "/admin/setup?step=test-email");
  await page.getByRole("button", { name: "Send a test email to me" }).click();
  await expectToBeTold(page, "The mail server accepted the test email.");
  const step = page.locator("#test-email");
  await expect(step).toContainText("Done");
  await expect(step).toContainText("The mail server's answer");
  await expect(step).toContainText(/250/);
  expect(smtp.rcptTo).toEqual([SUPERADMIN]);
});

test("a test email that the mail server refuses shows the refusal in its words", async ({
  page,
  product,
  smtp,
}) => {
  smtp.setAnswer(() => ({ code: 550, text: "no such user here" }));
  await openSignedIn(page, product, "/admin/setup?step=test-email");
  await page.getByRole("button", { name: "Send a test email to me" }).click();
  await expectToBeTold(page, "The test email was not sent. The reason is below.");
  const step = page.locator("#test-email");
  await expect(step).toContainText("To do");
  await expect(step).toContainText("no such user here");
});

test("one's own signup is recognized and removed", async ({ page, product }) => {
  await signUp(product, { name: "A test", email: SUPERADMIN });
  await openSignedIn(page, product, "/admin/setup?step=signup");
  const step = page.locator("#signup");
  await expect(step).toContainText("Accepted");
  await step.getByRole("button", { name: "Remove 1 test signup" }).click();
  await expectToBeTold(page, "Removed. You can undo this for ten minutes under Submissions.");
  await expect(step.getByRole("button")).toHaveCount(0);
  await expect(step).toContainText("Done");
});

test("the checks of other systems are made by a button @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/setup?step=server");
  const step = page.locator("#server");
  await expect(step).toContainText("Not tried yet");
  await step.getByRole("button", { name: "Check now" }).click();
  await expectToBeTold(page, "Checked. The results are below.");
  await expect(step).not.toContainText("were not made yet");
});
