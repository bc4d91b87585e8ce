import { days } from "~/lib/durations";
import { expectNothingFound } from "./axe";
import { expect, expectToBeTold, openSignedIn, signIn, signUp, test, writeEmail } from "./product";
import { OTHER_SETTINGS } from "./shared-servers";

test.use({ settings: OTHER_SETTINGS });

test.describe("an operator in Japan", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("schedules a campaign in their own time zone and reschedules it @js", async ({ page, product }) => {
    await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    await page.getByRole("button", { name: "Use Asia/Tokyo" }).click();
    await expect(page.getByRole("link", { name: "Asia/Tokyo" })).toBeVisible();
    const panel = await writeEmail(page, "Later", "Dear {{name}}, hello.");
    await panel.getByRole("button", { name: "Send Email" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
    await dialog.getByText("Send later").click();
    await expect(dialog.getByLabel("Time zone")).toHaveValue("Asia/Tokyo");
    const day = new Date(Date.now() + days(3)).toISOString().slice(0, 10);
    await dialog.getByLabel("Send on").fill(`${day}T09:30`);
    await expect(dialog).toContainText("You can edit, reschedule or cancel it before that time.");
    await dialog.getByRole("button", { name: "Yes, Schedule" }).click();
    await expect(panel).toContainText(`Begins on ${day} 09:30, in`);

    await panel.getByRole("link", { name: "Send now" }).click();
    await page.getByRole("link", { name: "Not now" }).click();
    await page.getByRole("link", { name: "Reschedule" }).click();
    const again = page.getByRole("dialog", { name: "Reschedule this campaign" });
    await expect(again.getByLabel("Send on")).toHaveValue(`${day}T09:30`);
    await again.getByLabel("Send on").fill(`${day}T18:00`);
    await expectNothingFound(page, "the reschedule dialog");
    await again.getByRole("button", { name: "Save time" }).click();
    await expectToBeTold(page, "The scheduled time was saved.");
    await expect(page.getByText(`Begins on ${day} 18:00, in`)).toBeVisible();
  });
});

test("a campaign in its hold window is cancelled, or sent at once @js", async ({ page, product, smtp }) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await signIn(page, product);

  const confirm = async (title: string) => {
    await page.goto("/admin/dashboard");
    const panel = await writeEmail(page, title, "Dear {{name}}, hello.");
    await panel.getByRole("button", { name: "Send Email" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
    await expect(dialog).toContainText("Sending begins 600 seconds after you confirm.");
    await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
    await expect(panel).toContainText(
      /Begins in \d+ minutes, at [-\d]+ \d\d:\d\d; nobody gets it before then\./,
    );
    return panel;
  };

  const panel = await confirm("Too early");
  await panel.getByRole("button", { name: "Cancel campaign" }).click();
  await expect(page).toHaveURL(/\/admin\/outreach\//);
  await expect(page.getByText("Cancelled").first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Recipients of this campaign" })).toBeVisible();
  await expectNothingFound(page, "a campaign");
  await expect(page.getByRole("button", { name: "Send now" })).toHaveCount(0);

  await confirm("In time");
  await page.getByRole("button", { name: "Send now" }).click();
  await expect.poll(() => smtp.emails.length).toBe(1);
  expect((await smtp.emails[0]!.parse()).subject).toBe("In time");
});

test("a scheduled campaign is edited, keeps its time and is confirmed again @js", async ({
  page,
  product,
}) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await signIn(page, product);
  await page.goto("/admin/dashboard");
  const panel = await writeEmail(page, "Early words", "Dear {{name}}, hello.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
  await dialog.getByText("Send later").click();
  const day = new Date(Date.now() + days(3)).toISOString().slice(0, 10);
  await dialog.getByLabel("Send on").fill(`${day}T09:30`);
  await dialog.getByLabel("If that time is missed").selectOption("wait");
  await dialog.getByRole("button", { name: /^Yes,/ }).click();
  await expect(panel).toContainText(`Begins on ${day} 09:30, in`);

  await panel.getByRole("link", { name: "Edit", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Edit this campaign?" });
  await expect(question).toContainText(`Its time, ${day} 09:30, is kept`);
  await expectNothingFound(page, "the question before an edit");
  await question.getByRole("button", { name: "Edit", exact: true }).click();
  await expectToBeTold(page, "This campaign is a draft again.");
  await expect(panel).toContainText(`This draft was scheduled for ${day} 09:30.`);
  await expect(panel.getByLabel("Email Title")).toHaveValue("Early words");
  await panel.getByLabel("Email Message").fill("Dear {{name}}, better.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(dialog).toContainText("Dear {{name}}, better.");
  await expect(dialog.getByLabel("Send on")).toHaveValue(`${day}T09:30`);
  await expect(dialog.getByLabel("Time zone")).toHaveValue("UTC");
  await expect(dialog.getByLabel("If that time is missed")).toHaveValue("wait");
  await dialog.getByRole("button", { name: "Yes, Schedule" }).click();
  await expect(panel).toContainText(`Begins on ${day} 09:30, in`);
});

test("a campaign in its hold window is edited at once", async ({ page, product, smtp }) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await signIn(page, product);
  await page.goto("/admin/dashboard");
  const panel = await writeEmail(page, "Too early", "Dear {{name}}, hello.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
  await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(panel).toContainText("nobody gets it before then.");
  await panel.getByRole("button", { name: "Edit", exact: true }).click();
  await expectToBeTold(page, "This campaign is a draft again.");
  await expect(panel.getByLabel("Email Title")).toHaveValue("Too early");
  await expect(panel).not.toContainText("This draft was scheduled");
  expect(smtp.emails).toEqual([]);
});
