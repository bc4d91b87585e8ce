import type { Page } from "@playwright/test";
import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, signIn, signUp, test } from "./product";

const LENA = { name: "Lena Vogt", email: "lena@nordlciht.example", company: "Nordlicht", role: "developer" };
const GRACE = { name: "Grace Hopper", email: "grace@navy.example" };

async function openPerson(page: Page, name: string): Promise<void> {
  await page.goto("/admin/submissions/early-access");
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

test("a note is added to a person's timeline, and removed after a question", async ({ page, product }) => {
  await signUp(product, LENA);
  await signIn(page, product);
  await openPerson(page, LENA.name);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.getByRole("button", { name: "Add note" }).click();
  await expect(timeline.getByText("Please enter the note.")).toBeVisible();
  await timeline.getByLabel("Add a note").fill("Met in Turin.\n<b>Wants a demo.</b>");
  await timeline.getByRole("button", { name: "Add note" }).click();
  await expectToBeTold(page, "The note was added.");
  const note = timeline.getByRole("listitem").filter({ hasText: "Met in Turin." });
  await expect(note).toContainText("<b>Wants a demo.</b>");
  await expect(note).toContainText("by superadmin@example.com");
  await expect(timeline.getByLabel("Add a note")).toHaveValue("");
  await expectNothingFound(page, "a person with a note, beside the list");

  await note.getByRole("link", { name: "Remove" }).click();
  const question = page.getByRole("dialog", { name: "Remove this note?" });
  await expect(question).toContainText("Met in Turin.");
  await question.getByRole("button", { name: "Remove note" }).click();
  await expectToBeTold(page, "The note was removed.");
  await expect(note).toHaveCount(0);
});

test("a person is corrected, with what was typed kept on an error, and the correction undone @js", async ({
  page,
  product,
}) => {
  await signUp(product, LENA);
  await signIn(page, product);
  await openPerson(page, LENA.name);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Correct this person" });
  await expectNothingFound(page, "the form that corrects a person");
  await form.getByLabel("Name").fill("Lena Voigt");
  await form.getByLabel("Address").fill("lena@nordlicht");
  await form.getByLabel("Role").selectOption("Manager");
  await form.getByLabel("Reason").fill("By phone");
  await form.getByRole("button", { name: "Save correction" }).click();
  await expect(form.getByText("Please enter the address like name@example.com.")).toBeVisible();
  await expect(form.getByLabel("Name")).toHaveValue("Lena Voigt");
  await expect(form.getByLabel("Role")).toHaveValue("manager");
  await form.getByLabel("Address").fill("lena@nordlicht.example");
  await form.getByRole("button", { name: "Save correction" }).click();

  await expect(page.getByText("Corrected. You can undo this for ten minutes.").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Lena Voigt", level: 1 })).toBeVisible();
  const details = page.getByRole("region", { name: "At a glance" });
  await expect(details).toContainText("lena@nordlicht.example");
  await expect(details).toContainText(LENA.email);
  const entry = page.getByRole("region", { name: "Timeline" }).getByRole("listitem").first();
  await expect(entry).toContainText("Corrected: name, address, role");
  await expect(entry).toContainText("By phone");
  await expectNothingFound(page, "a corrected person");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "a corrected person on a small screen", ONE_THEME);
  await entry.getByRole("button", { name: "Undo" }).click();
  await expectToBeTold(page, "The correction was undone.");
  await expect(page.getByRole("heading", { name: LENA.name, level: 1 })).toBeVisible();
  await expect(entry).toContainText("Undone");
  await expect(entry.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("a note that is being typed stays when something else is done @js", async ({ page, product }) => {
  for (const person of [LENA, GRACE]) await signUp(product, person);
  await signIn(page, product);
  await openPerson(page, LENA.name);
  const note = page.getByLabel("Add a note");
  await note.fill("Met in Turin.");
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Correct this person" });
  await form.getByLabel("Company").fill("Nordlicht AG");
  await form.getByLabel("Reason").fill("By phone");
  await form.getByRole("button", { name: "Save correction" }).click();
  await expect(page.getByText("Corrected: company")).toBeVisible();
  await expect(note).toHaveValue("Met in Turin.");
  // It is about this person alone.
  await page.getByRole("row").getByRole("link", { name: GRACE.name, exact: true }).click();
  await expect(page.getByRole("heading", { name: GRACE.name, level: 1 })).toBeVisible();
  await expect(note).toHaveValue("");
  await note.fill("Met in Turin.");
  await page.getByRole("button", { name: "Add note" }).click();
  await expectToBeTold(page, "The note was added.");
  await expect(note).toHaveValue("");
  await note.fill("Met in Milan.");
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page).toHaveURL(/note-added.*#main$/);
  await expect(note).toHaveValue("Met in Milan.");
  await page.getByRole("listitem").filter({ hasText: "Met in Turin." }).getByRole("link").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove note" }).click();
  await expectToBeTold(page, "The note was removed.");
  await expect(note).toHaveValue("Met in Milan.");
});

test("two people are merged after a question, which loses nothing typed", async ({ page, product }) => {
  await signUp(product, LENA);
  await signUp(product, GRACE);
  await signIn(page, product);
  await openPerson(page, LENA.name);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Correct this person" });
  await form.getByLabel("Address").fill("Grace@Navy.example");
  await form.getByLabel("Company").fill("");
  await form.getByLabel("Reason").fill("The same person");
  await form.getByRole("button", { name: "Save correction" }).click();
  const question = page.getByRole("dialog", { name: "already belongs to Grace Hopper. Merge the two?" });
  await expect(question).toContainText("1 submission, the person that stays");
  await expectNothingFound(page, "the question before a merge");
  await question.getByRole("button", { name: "Change what I typed" }).click();
  await expect(form.getByLabel("Address")).toHaveValue("Grace@Navy.example");
  await expect(form.getByLabel("Company")).toHaveValue("");
  await expect(form.getByLabel("Reason")).toHaveValue("The same person");
  await form.getByRole("button", { name: "Save correction" }).click();
  await question.getByRole("button", { name: "Merge the two" }).click();
  await expect(
    page.getByText("The two were merged. You can undo this for ten minutes.").first(),
  ).toBeVisible();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByText("Early Access", { exact: true })).toHaveCount(2);
  await expect(timeline).toContainText("Merged with another person");
  await timeline.getByRole("button", { name: "Undo" }).click();
  await expectToBeTold(page, "The correction was undone.");
  await openPerson(page, LENA.name);
  await expect(page.getByRole("region", { name: "At a glance" })).toContainText(LENA.email);
});

test("a colleague's correction in between is told, and nothing typed is lost", async ({ page, product }) => {
  await signUp(product, LENA);
  await signIn(page, product);
  await openPerson(page, LENA.name);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Correct this person" });
  await expect(form).toBeVisible();
  const colleague = await page.context().newPage();
  await colleague.goto(page.url());
  const theirs = colleague.getByRole("dialog", { name: "Correct this person" });
  await theirs.getByLabel("Name").fill("Magdalena Voigt");
  await theirs.getByLabel("Company").fill("Nordlicht AG");
  await theirs.getByLabel("Reason").fill("By letter");
  await theirs.getByRole("button", { name: "Save correction" }).click();
  await expect(colleague.getByRole("heading", { name: "Magdalena Voigt", level: 1 })).toBeVisible();

  await form.getByLabel("Name").fill("Lena Voigt");
  await form.getByLabel("Reason").fill("By phone");
  await form.getByRole("button", { name: "Save correction" }).click();
  await expect(form.getByText('A colleague changed this to "Magdalena Voigt"')).toBeVisible();
  await expect(form.getByText("A colleague corrected this person in the meantime")).toBeVisible();
  await expect(form.getByLabel("Name")).toHaveValue("Lena Voigt");
  await expect(form.getByLabel("Company")).toHaveValue("Nordlicht AG");
  await form.getByRole("button", { name: "Save correction" }).click();
  await expect(page.getByRole("heading", { name: "Lena Voigt", level: 1 })).toBeVisible();
});
