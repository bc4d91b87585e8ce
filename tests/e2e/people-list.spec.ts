import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, openSignedIn, signUp, test } from "./product";

const ADA = { name: "Ada Byron", email: "ada@mail.acme.example", company: "Acme Engines" };
const BOB = { name: "Bob Acme", email: "bob@example.org" };
const EVE = { name: "Eve Quist", email: "eve@mail.acme.example" };

test("who of a company signed up is found, filtered, opened and exported @js", async ({ page, product }) => {
  for (const person of [ADA, BOB, EVE]) await signUp(product, person);
  await openSignedIn(page, product, "/admin/people");
  await expect(page.getByText("3 people.")).toBeVisible();
  await expectNothingFound(page, "the list of people");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "the list of people on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });

  const rows = page.getByRole("table").getByRole("link", { name: /Ada|Bob|Eve/ });
  const search = page.getByRole("searchbox", { name: "Name, email or company" });
  await search.fill("cme.ex");
  await search.press("Enter");
  await expect(rows).toHaveText([EVE.name, ADA.name]);
  await expect(page.getByText("2 people match.")).toBeVisible();
  await search.fill("acme eng");
  await search.press("Enter");
  await expect(rows).toHaveText([ADA.name]);

  await rows.first().click();
  await expect(page.getByRole("heading", { name: ADA.name, level: 1 })).toBeVisible();
  await page.getByRole("link", { name: "mail.acme.example" }).click();
  await expect(page).toHaveURL(/\/admin\/people\?domain=mail\.acme\.example$/);
  await expect(rows).toHaveText([EVE.name, ADA.name]);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download these as CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/);

  await page.goto("/admin/people?q=nobody");
  await expect(page.getByText("Nobody matches")).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(rows).toHaveCount(3);
  await page.goto("/admin/people?from=yesterday");
  await expect(page.getByText("Please enter a day like 2026-11-21.")).toBeVisible();
});
