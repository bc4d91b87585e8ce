import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, openSignedIn, signUp, test, writeEmail } from "./product";

test("an operator spreads a campaign over six hours, and reads how far people came", async ({
  page,
  product,
  smtp,
}) => {
  await signUp(product, { name: "Ada Lovelace", email: "ada@example.com" });
  await signUp(product, { name: "Grace Hopper", email: "grace@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "Come in", "Dear {{name}}, hello.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
  await dialog.getByLabel("Pace").selectOption("Over 6 hours, about 8 a day");
  // A refused time loses nothing of it.
  await dialog.getByText("Send later").click();
  await dialog.getByLabel("Send on").fill("2020-01-01T09:30");
  await dialog.getByRole("button", { name: /^Yes,/ }).click();
  await expect(dialog).toContainText("This time has passed.");
  await expect(dialog.getByLabel("Pace")).toHaveValue(String(6 * 60 * 60 * 1000));
  await dialog.getByLabel("Send on").fill("");
  await dialog.getByRole("button", { name: /^Yes,/ }).click();
  await expect(panel).toContainText(/Spread over 6 hours: about 8 a day, done around [-\d ]*\d\d:\d\d\./);
  await expect.poll(() => smtp.emails.length).toBe(1);

  // The overlay has the same sentence and button, and may be loaded again at any moment.
  const campaign = await page.getByRole("link", { name: "See all recipients" }).getAttribute("href");
  await page.goto(campaign ?? "");
  await expect(page.getByText(/^Spread over 6 hours: about 8 a day/)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Spread over 6 hours: about 8 a day.", { exact: true })).toBeVisible();
  expect(smtp.emails).toHaveLength(1);

  await page.goto("/admin/dashboard");
  await page.getByRole("link", { name: "Funnel" }).click();
  await expect(page.getByRole("heading", { name: "Funnel", level: 1 })).toBeVisible();
  await expect(page.getByText(/2 people who signed up in the last 30 days/)).toBeVisible();
  const bars = page.getByRole("list", { name: /how far people came/ });
  await expect(bars.getByRole("listitem")).toHaveText([
    /^Visits/,
    /^Signups.*2$/,
    /^Confirmed0.0% of signups0$/,
  ]);
  await expectNothingFound(page, "the funnel", ONE_THEME);
  await page.getByRole("link", { name: "unknown" }).click();
  await expect(page.getByRole("heading", { name: "From unknown" })).toBeVisible();
  await page.getByRole("link", { name: "12 months" }).click();
  await expect(page).toHaveURL(/over=year&source=unknown/);
  await page.getByText("Exact numbers").click();
  await expect(page.getByRole("row", { name: "Signups 2" })).toBeVisible();
  await page.getByRole("link", { name: "All sources" }).click();
  await expect(page.getByRole("heading", { name: "From a visit to a member" })).toBeVisible();
});

test.describe("with INVITE_URL", () => {
  test.use({ settings: { INVITE_URL: "https://app.example.com/join?code={code}" } });

  test("an operator repeats a wave, and stops that @js", async ({ page, product, smtp }) => {
    await signUp(product, { name: "Ada Lovelace", email: "ada@example.com" });
    await signUp(product, { name: "Grace Hopper", email: "grace@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "Come in", "Dear {{name}}, come in: {{invite_link}}");
    await panel.getByText("Narrow down").click();
    await panel.getByLabel("At most", { exact: true }).fill("1");
    await panel.getByRole("button", { name: "Send Email" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
    await expect(dialog).toContainText("Each time the next person without an invitation");
    await dialog.getByLabel("Repeat").selectOption("Every week");
    await dialog.getByLabel("Reminder").selectOption("After 7 days");
    await expectNothingFound(page, "the confirmation of a wave", ONE_THEME);
    await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
    await expect.poll(() => smtp.emails.length).toBe(1);

    await page.goto("/admin/outreach");
    await page.getByRole("link", { name: "Come in" }).first().click();
    await expect(page.getByText(/^Repeats every week at \d\d:\d\d: the next person on/)).toBeVisible();
    await expect(page.getByText("Whoever has not joined 7 days after their invitation")).toBeVisible();
    await page.getByRole("button", { name: "Stop repeating" }).click();
    await expectToBeTold(page, "This wave is not repeated any more. The waves there are go on.");
    await expect(
      page.getByText("It was repeated every week, and stopped: somebody stopped it."),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Stop repeating" })).toHaveCount(0);
    expect(smtp.emails).toHaveLength(1);
  });
});
