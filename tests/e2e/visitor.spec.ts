import { expect, signUpForEarlyAccess, takeTheTimeAPersonTakes, test } from "./product";

test.describe("a visitor", () => {
  test("finds every part of the landing page, and no link of it leads nowhere", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    for (const text of [
      "Building the Future Together!",
      "6+",
      "100%",
      "10+",
      "Have questions, feedback, or partnership ideas?",
    ]) {
      await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
    }
    const anchors = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    for (const anchor of new Set(anchors)) await expect(page.locator(anchor ?? "")).toHaveCount(1);
    const paths = await page
      .locator('a[href^="/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    for (const path of new Set(paths))
      expect((await page.request.get(path ?? "")).url()).toContain(path ?? "");
    for (const name of ["LinkedIn", "Twitter", "Instagram"]) {
      await expect(page.getByRole("link", { name: new RegExp(name) })).toHaveAttribute("target", "_blank");
    }
  });

  test("gets the page that is kept for all, and its scripts run under their hashes @js", async ({ page }) => {
    const visit = async () => {
      const answer = await page.goto("/");
      // Only a hydrated page opens the dialog without loading another document.
      await page.evaluate(() => (document.body.dataset.loaded = "once"));
      await page.getByRole("link", { name: "Sign Up for Early Access" }).first().click();
      await expect(page.getByLabel("Full Name")).toBeFocused();
      await expect(page.locator("body")).toHaveAttribute("data-loaded", "once");
      return (await answer?.allHeaders()) ?? {};
    };
    const first = await visit();
    expect(first["content-security-policy"]).toContain("script-src 'self' 'sha256-");
    // Now the stored page is confirmed by an answer without a policy, and runs under the one it came with.
    const second = await visit();
    expect(second.etag).toEqual(expect.any(String));
  });

  test("opens the questions one by one", async ({ page }) => {
    await page.goto("/#faqs");
    const questions = page.locator("#faqs details");
    await expect(questions).toHaveCount(3);
    await questions.nth(0).locator("summary").click();
    await questions.nth(2).locator("summary").click();
    await expect(questions.nth(0).locator("p")).toBeVisible();
    await expect(questions.nth(1).locator("p")).toBeHidden();
    await expect(questions.nth(2).locator("p")).toBeVisible();
  });

  test("is told at each field what is wrong and loses nothing typed", async ({ page }) => {
    await page.goto("/early-access");
    await takeTheTimeAPersonTakes(page);
    // As a browser that checks nothing sends it.
    await page
      .locator("form[action='/early-access']")
      .evaluate((form) => ((form as HTMLFormElement).noValidate = true));
    await page.getByLabel("Full Name").fill("Ada Byron");
    await page.getByLabel("Email Address").fill("ada at example");
    await page.getByLabel("Company").fill("Analytical Engines");
    await page.getByRole("dialog").getByRole("button", { name: "Sign Up for Early Access" }).click();
    await expect(page.getByLabel("Email Address")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Email Address")).toHaveAccessibleDescription(
      /Please enter your email address like name@example.com\./,
    );
    await expect(page.getByLabel("Full Name")).toHaveValue("Ada Byron");
    await expect(page.getByLabel("Company")).toHaveValue("Analytical Engines");
    await page.getByLabel("Email Address").fill("ada@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Sign Up for Early Access" }).click();
    await expect(page.getByText("Successfully registered! Thank you.")).toBeVisible();
  });

  test("is led to the front page from an address that does not exist", async ({ page }) => {
    await page.goto("/no/such/page");
    await expect(page).toHaveURL(/\/$/);
  });

  test("leaves the dialog by its close link", async ({ page }) => {
    await page.goto("/early-access");
    await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("leaves the dialog with Escape, and it closes by itself after a signup @js", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Sign Up for Early Access" }).first().click();
    await expect(page.getByLabel("Full Name")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/$/);
    await signUpForEarlyAccess(page, { name: "Ada Byron", email: "ada@example.com" });
    await expect(page.getByRole("dialog")).toHaveCount(0, { timeout: 5000 });
  });

  test("is told when too many forms come from one place, and can still use the page", async ({
    page,
    product,
  }) => {
    test.setTimeout(60_000);
    await page.goto("/early-access");
    await takeTheTimeAPersonTakes(page);
    const stamp = await page.locator('input[name="stamp"]').last().inputValue();
    for (let count = 1; count <= 10; count += 1) {
      const form = {
        name: `Person ${count}`,
        email: `p${count}@example.com`,
        company: "",
        role: "",
        website: "",
        stamp,
      };
      const answer = await page.request.post(`${product.origin}/early-access`, {
        form,
        headers: { Origin: product.origin },
        maxRedirects: 0,
      });
      expect(answer.status()).toBe(303);
    }
    await page.getByLabel("Full Name").fill("Eleventh");
    await page.getByLabel("Email Address").fill("p11@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Sign Up for Early Access" }).click();
    await expect(page.getByRole("alert")).toContainText("Something went wrong. Please try again.");
    await expect(page.getByLabel("Full Name")).toHaveValue("Eleventh");
  });
});
