import type { Answer } from "../fakes/smtp-server";
import { expect, signIn, signUp, test, writeEmail } from "./product";

test.use({ settings: { TRUST_PROXY: "1", MAIL_CONCURRENCY: "1" } });

test("a send names its failures and can be paused from its overlay", async ({ page, product, smtp }) => {
  const waiting = Promise.withResolvers<undefined>();
  const answers: Record<string, Answer> = {
    "gone@example.com": { code: 550, text: "5.1.1 No such user here" },
    "slow@example.com": { after: waiting.promise },
  };
  smtp.setAnswer((address) => answers[address] ?? "ok");
  for (const email of ["ada@example.com", "gone@example.com", "slow@example.com", "last@example.com"]) {
    await signUp(product, { name: "Ada Byron", email });
  }
  await signIn(page, product);
  await page.goto("/admin/dashboard");
  const panel = await writeEmail(page, "We open on Monday", "Hello {{name}}.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  const overlay = page.getByRole("status").filter({ hasText: "2 of 4 done" });
  await expect(overlay).toContainText("1 failed");
  await expect(overlay.getByRole("link", { name: "Cancel campaign" })).toBeVisible();

  // A refresh at the same moment may replace the button, and a slow answer may come after the wait for it.
  const campaignPage = /\/admin\/outreach\//;
  await expect(async () => {
    if (!campaignPage.test(page.url())) {
      await overlay.getByRole("button", { name: "Pause" }).click({ timeout: 2000 });
    }
    await expect(page).toHaveURL(campaignPage, { timeout: 2000 });
  }).toPass();
  await expect(page.getByRole("main")).toContainText("Paused by");
  waiting.resolve(undefined);
  await page.goto("/admin/outreach");
  await expect(page.getByRole("main")).toContainText("of 4");
});
