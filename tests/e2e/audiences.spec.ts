import { expectNothingFound, ONE_THEME } from "./axe";
import { applyFilter, expect, openSignedIn, signUp, test, writeEmail } from "./product";

const PEOPLE = [
  { name: "Ada Byron", email: "ada@acme.example", company: "Acme Tools", role: "developer" },
  { name: "Bo Acme", email: "bo@acme.example", company: "ACME", role: "developer" },
  { name: "Cy Dent", email: "cy@dent.example", company: "Dent & Sons", role: "developer" },
  { name: "Eve Quist", email: "eve@acme.example", company: "Acme", role: "manager" },
];

test("an operator writes to some of a group, and to those only", async ({ page, product, smtp }) => {
  for (const person of PEOPLE) await signUp(product, person);
  await openSignedIn(page, product, "/admin/people?company=acme");
  await expect(page.getByText("3 people match.")).toBeVisible();
  await page.getByRole("combobox", { name: "Form" }).selectOption("Early Access");
  await applyFilter(page);
  await page.getByRole("link", { name: "Write to these 3" }).click();

  // The folded line says who gets it; the fields change that.
  const panel = await writeEmail(page, "Just for you", "Hello **{{name}}**.");
  const line = panel.locator("summary").filter({ hasText: "Narrow down" });
  await expect(line).toContainText("People waiting for early access at companies like “acme” – 3 people");
  await line.click();
  await panel.getByLabel("Role").selectOption("Developer");
  await panel.getByLabel("Order").selectOption("Newest first");
  await panel.getByLabel("At most", { exact: true }).fill("none");
  await panel.getByRole("button", { name: "Preview Recipients" }).click();
  await expect(panel.getByText("Please enter a whole number from 1 to 100,000.")).toBeVisible();
  await expect(line).toContainText("Not counted");
  await expect(panel.getByLabel("Role")).toHaveValue("developer");
  await panel.getByLabel("At most", { exact: true }).fill("1");
  if (test.info().project.name === "js") {
    await expect(line).toContainText("Developers at companies like “acme”, the newest 1 – 1 person");
    await expect(panel.getByRole("list", { name: "The first of them" })).toHaveText("bo@acme.example");
    await expect(panel).toContainText("1 more matches, beyond the limit.");
    await expectNothingFound(page, "a narrowed audience", { within: ["#outreach"] });
    await page.setViewportSize({ width: 360, height: 800 });
    await expectNothingFound(page, "a narrowed audience on a small screen", {
      ...ONE_THEME,
      within: ["#outreach"],
    });
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await panel.getByRole("button", { name: "Preview Recipients" }).click();
  const preview = panel.getByRole("region", { name: "Preview Recipients" });
  await expect(preview).toContainText("1 recipient in total");
  await expect(preview).toContainText("bo@acme.example");
  if (test.info().project.name === "js") {
    await line.click();
    await panel.getByLabel("At most", { exact: true }).fill("2");
    await expect(preview).toContainText("2 recipients in total");
    await expect(preview).toContainText("ada@acme.example");
    await panel.getByLabel("At most", { exact: true }).fill("1");
    await expect(preview).toContainText("1 recipient in total");
  }

  await panel.getByRole("button", { name: "Send Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
  await expect(dialog).toContainText("You are about to send an email to 1 recipient.");
  await expect(dialog).toContainText("Developers at companies like “acme”, the newest 1 – 1 person");

  // Who signed up since the question does not get it.
  await signUp(product, { name: "Di", email: "di@acme.example", company: "acme.io", role: "developer" });
  await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page.getByText("Emails sent successfully").first()).toBeVisible();
  expect(smtp.deliveries.map(({ address }) => address)).toEqual(["bo@acme.example"]);
  await page.goto("/admin/outreach");
  await page.getByRole("link", { name: "Just for you" }).first().click();
  await expect(page.getByText("Developers at companies like “acme”, the newest 1.")).toBeVisible();

  // Who got it is a filter, too.
  await page.goto("/admin/people?role=developer");
  await page.locator("summary").filter({ hasText: "More filters" }).click();
  await page.getByLabel("Campaign").selectOption("Just for you");
  await applyFilter(page);
  await expect(page.getByText("1 person matches.")).toBeVisible();
  const others = new URL(page.url());
  others.searchParams.set("got", "none");
  await page.goto(others.href);
  await expect(page.getByText("3 people match.")).toBeVisible();
});

test("a count belongs to its form, and outlives a refused button @js", async ({ page, product }) => {
  for (const person of PEOPLE) await signUp(product, person);
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "Just for you", "Hello.");
  const line = panel.locator("summary").filter({ hasText: "Narrow down" });
  await line.click();
  await panel.getByLabel("At most", { exact: true }).fill("2");
  await expect(line).toContainText("2 people");
  await panel.getByLabel("Email Title").fill("");
  await panel.getByRole("button", { name: "Send Email", exact: true }).click();
  await expect(panel.getByText("Please enter the title.").first()).toBeVisible();
  await expect(line).toContainText("2 people");

  // The count of a page that was loaded does, too.
  await expect(page).toHaveURL(/draft=/);
  await page.reload();
  await panel.getByLabel("Email Title").fill("");
  await expect(line).toContainText("2 people");
  await panel.getByRole("button", { name: "Send Email", exact: true }).click();
  await expect(panel.getByText("Please enter the title.").first()).toBeVisible();
  await expect(line).toContainText("2 people");

  await page
    .getByRole("navigation", { name: "Back office" })
    .getByRole("link", { name: "Dashboard" })
    .click();
  await expect(panel.getByLabel("Email Message")).toHaveValue("");
  await expect(line).toContainText("Everybody in this group");
});
