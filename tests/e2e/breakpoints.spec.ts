import { expect, openSignedIn, signUp, test } from "./product";

test("the layout changes at 600, 900, 1200 and 1536 px, and nowhere else @js", async ({ page, product }) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const widths = await page.evaluate(() => {
    const listConditions = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSMediaRule ? [rule.conditionText] : []),
        ...("cssRules" in rule ? listConditions(rule.cssRules as CSSRuleList) : []),
      ]);
    const conditions = [...document.styleSheets].flatMap((sheet) => listConditions(sheet.cssRules));
    return conditions
      .filter((condition) => condition.includes("width"))
      .flatMap((condition) => condition.match(/[\d.]+(?=px)/g) ?? [condition]);
  });
  expect([...new Set(widths.map(Number))].sort((a, b) => a - b)).toEqual([600, 900, 1200, 1536]);

  // A table from 600 px on, a panel to open below.
  const cell = page.getByRole("cell", { name: "ada@example.com" });
  await page.setViewportSize({ width: 600, height: 800 });
  await expect(cell).toBeVisible();
  await page.setViewportSize({ width: 599, height: 800 });
  await expect(cell).toBeHidden();
});
