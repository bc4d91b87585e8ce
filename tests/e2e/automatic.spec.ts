import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, openSignedIn, test } from "./product";
import { open, submitForm, visitorForms } from "./visitor-forms";

test("a thank-you is written, tried, turned on and sent again @js", async ({ page, product, smtp }) => {
  await openSignedIn(page, product, "/admin/automatic");
  await expectNothingFound(page, "the automatic emails");
  await page.getByRole("link", { name: "Thank-you", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Thank-you", level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "No emails yet" })).toBeVisible();

  await page.getByLabel("Subject").fill("Hello {{nmae}}");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("{{nmae}} is not a field, so nothing was saved.")).toBeVisible();
  await expectNothingFound(page, "a refused automatic email", ONE_THEME);
  await page.getByLabel("Subject").fill("Hello {{first_name|there}}");
  await page.getByLabel("Message", { exact: true }).fill("You are on the list.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectToBeTold(page, "Saved. Emails sent from now on have this text.");
  await expect(page.getByLabel("Subject")).toHaveValue("Hello {{first_name|there}}");
  await page.getByLabel("Subject").fill("Typed since");
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page).toHaveURL(/#main$/);

  await page.getByRole("button", { name: "Send me a test" }).click();
  await expectToBeTold(page, "Test email sent successfully!");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expectToBeTold(page, "Turned on.");
  await expect(page.getByLabel("Subject")).toHaveValue("Typed since");
  await expect(page.getByRole("button", { name: "Turn off" })).toBeVisible();

  const [earlyAccess] = visitorForms;
  await open(page, earlyAccess);
  await submitForm(page, earlyAccess);
  await expect.poll(() => smtp.count()).toBe(2);
  // The mail server counts an email before the product has heard that it was accepted.
  await expect(async () => {
    await page.goto("/admin/automatic/thank-you");
    await expect(page.getByText("1 sent.")).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectNothingFound(page, "an automatic email with its history");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "an automatic email on a small screen", ONE_THEME);
  await page.getByRole("button", { name: /^Send again to/ }).click();
  await expectToBeTold(page, "It is sent again.");
  await expect.poll(() => smtp.count()).toBe(3);
  await page.getByRole("link", { name: "See the email" }).first().click();
  await expect(page.getByText("You are on the list.")).toBeVisible();
});

test("a save over a colleague's text shows that text in the preview @js", async ({
  page,
  context,
  product,
}) => {
  await openSignedIn(page, product, "/admin/automatic/thank-you");
  const other = await context.newPage();
  await other.goto(page.url());
  for (const [each, words] of [
    [other, "Theirs"],
    [page, "Mine"],
  ] as const) {
    await each.getByLabel("Subject").fill(`The subject is ${words}`);
    await each.getByLabel("Message", { exact: true }).fill(`The text is ${words}`);
  }
  const save = { name: "Save", exact: true };
  await other.getByRole("button", save).click();
  await expectToBeTold(other, "Saved. Emails sent from now on have this text.");

  await page.getByRole("button", save).click();
  await expect(page.getByRole("alert")).toContainText("the other one in the preview");
  await expect(page.getByText("The subject is Theirs")).toBeVisible();
  await expect(page.frameLocator("iframe").getByText("The text is Theirs")).toBeVisible();
  await expect(page.getByLabel("Subject")).toHaveValue("The subject is Mine");
  await page.getByRole("button", save).click();
  await expectToBeTold(page, "Saved. Emails sent from now on have this text.");
  await expect(page.getByText("The subject is Mine")).toBeVisible();
});
