import { expect, signIn, signUp, test } from "./product";

test.use({ settings: { MAIL_HOLD_SECONDS: "600" } });

test("a send that is cancelled in its hold window reaches nobody, and one that is begun at once goes out @js", async ({
  page,
  product,
  smtp,
}) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await signIn(page, product);

  const confirm = async (title: string, laterAt?: string) => {
    await page.goto("/admin/dashboard");
    const panel = page.locator("#outreach");
    await panel.getByLabel("Email Title").fill(title);
    await panel.getByLabel("Email Message").fill("Dear {{name}}, hello.");
    await panel.getByRole("button", { name: "Send Email" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
    await expect(dialog).toContainText("It begins 600 seconds after your yes.");
    if (laterAt) {
      await dialog.getByText("Send it later").click();
      await dialog.getByLabel("Begin on").fill(laterAt);
      await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
      await expect(dialog).toContainText("This time is over.");
      await dialog.getByLabel("Begin on").fill("");
    }
    await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
    await expect(panel).toContainText(/Begins in \d+ minutes, at .+ UTC; until then nobody gets it\./);
    return panel;
  };

  const panel = await confirm("Too early", "2020-01-01T08:00");
  await panel.getByRole("button", { name: "Cancel campaign" }).click();
  await expect(page).toHaveURL(/\/admin\/outreach\//);
  await expect(page.getByText("Cancelled").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Send now" })).toHaveCount(0);

  await confirm("In time");
  await page.getByRole("button", { name: "Send now" }).click();
  await expect.poll(() => smtp.mails.length, { timeout: 10_000 }).toBe(1);
  expect((await smtp.mails[0]!.parse()).subject).toBe("In time");
});
