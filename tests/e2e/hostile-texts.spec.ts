import { HOSTILE_TEXTS } from "../factories/hostile-texts";
import { someone, submit, type FormPath } from "../server/visitors";
import { agedStamp, expect, signIn, test } from "./product";
import { OTHER_SETTINGS } from "./shared-servers";

test.use({ settings: OTHER_SETTINGS });

const MARKUP = "<img src=x onerror='document.title=\"owned\"'>";

// C14
test("nothing that visitors typed runs anywhere in the back office @js", async ({ page, product }) => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  const stamp = agedStamp();
  const texts = [...HOSTILE_TEXTS, "W".repeat(120)];
  for (const [index, text] of texts.entries()) {
    const submission = { stamp, email: `person-${index}@example.com`, website: index % 2 === 0 ? "" : "x" };
    const send = (path: FormPath, fields: Record<string, string>) =>
      submit(product, path, { ...submission, ...fields }, someone());
    await send("/early-access", { name: text, company: text });
    await send("/contact", { fullName: text, message: text });
    await send("/updates", { name: text });
  }
  await signIn(page, product);

  for (const path of ["/admin/dashboard", "/admin/quarantine", "/admin/activity", "/admin/users"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page).not.toHaveTitle("owned");
    await expect(page.locator("main img, main svg[onload], main script")).toHaveCount(0);
  }
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/admin/quarantine");
    await expect(page.getByText(MARKUP).first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.goto("/admin/dashboard?panel=preview");
  await expect(page).not.toHaveTitle("owned");
  expect(dialogs).toEqual([]);
});
