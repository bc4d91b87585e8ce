import { expectNothingFound, ONE_THEME } from "./axe";
import { botPosts, expect, expectToBeTold, openSignedIn, signUp, test } from "./product";

const ADA = { name: "Ada Byron", email: "ada@example.com" };

test("a person is found, shown, exported as a file and erased", async ({ page, product }) => {
  await signUp(product, { ...ADA, company: "Engines ".repeat(10) });
  await botPosts(product, ADA);
  await openSignedIn(page, product, "/admin/search?q=ada");
  await page.getByRole("link", { name: ADA.name }).first().click();
  await expect(page.getByRole("heading", { name: ADA.name, level: 1 })).toBeVisible();
  await expect(page).not.toHaveURL(/example\.com/);
  const sent = page.getByRole("region", { name: "Timeline" });
  await expect(sent).toContainText("Engines");
  await expect(sent.getByText("In quarantine")).toBeVisible();
  await expect(page.getByRole("region", { name: "At a glance" })).toContainText("Not requested.");
  await expectNothingFound(page, "a person");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "a person on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all as JSON" }).click();
  expect((await download).suggestedFilename()).toMatch(/^person-[0-9a-f]{8}\.json$/);

  await page.getByRole("link", { name: "Erase this person" }).click();
  const question = page.getByRole("dialog", { name: "Erase this person?" });
  await expect(question).toContainText("2 submissions and their consent records");
  await expectNothingFound(page, "the question before a person is erased", ONE_THEME);
  await question.getByRole("link", { name: "Keep everything" }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole("link", { name: "Erase this person" }).click();
  await question.getByRole("button", { name: "Erase this person" }).click();
  await expectToBeTold(page, "Erased, except what was listed before you confirmed");
  await page.goto("/admin/people?q=ada");
  await expect(page.getByRole("link", { name: ADA.name })).toHaveCount(0);
});
