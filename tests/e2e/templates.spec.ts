import type { Page } from "@playwright/test";
import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, openSignedIn, postForm, signIn, test, writeEmail } from "./product";

const getRow = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const getTitle = (page: Page) => page.locator("#outreach").getByLabel("Email Title");

/** Writes a template in a form of its own. */
async function writeTemplate(page: Page, name: string, title: string, group?: string): Promise<void> {
  await page.goto("/admin/templates/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Email Title").fill(title);
  await page.getByLabel("Email Message").fill(`The text of ${name}.`);
  if (group) await page.getByRole("checkbox", { name: group }).check();
  await page.getByRole("button", { name: "Save template" }).click();
  await expectToBeTold(page, "The template was saved.");
}

/** Creates a template without its form. @returns the page of the template, which does not say that it was saved. */
async function createTemplate(page: Page, name: string, title: string, group?: string): Promise<string> {
  const text = { name, title, message: `The text of ${name}.`, format: "markdown" };
  const form = { intent: "create", ...text, ...(group && { group }) };
  const answer = await postForm(page, "/admin/templates/new", form);
  return (answer.headers().location ?? "").replace(/\?.*$/, "");
}

test("a campaign's text becomes a template, from which another one starts @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "We are live", "Hello **{{name}}**.");
  await panel.getByRole("button", { name: "Save as template" }).click();
  const naming = page.getByRole("dialog", { name: "Save as a template" });
  await naming.getByLabel("Name").fill("  ");
  await naming.getByRole("button", { name: "Save template" }).click();
  await expect(naming).toContainText("Please enter the name.");
  await expectNothingFound(page, "a template without a name", ONE_THEME);
  await naming.getByLabel("Name").fill("Launch");
  await naming.getByRole("button", { name: "Save template" }).click();
  await expectToBeTold(page, "The template was saved.");
  await expect(getTitle(page)).toHaveValue("We are live");

  // An empty form starts from it at once.
  await page.goto("/admin/dashboard");
  await panel.getByLabel("Start from").selectOption("Launch");
  await panel.getByRole("button", { name: "Use template" }).click();
  await expectToBeTold(page, "The template was copied into the draft.");
  await expect(getTitle(page)).toHaveValue("We are live");
  await expect(panel.getByLabel("Email Message")).toHaveValue("Hello **{{name}}**.");
  await expectNothingFound(page, "a draft that started from a template", { within: ["#outreach"] });

  // A text of one's own is kept.
  await getTitle(page).fill("We are live, at last");
  await panel.getByRole("button", { name: "Use template" }).click();
  const question = page.getByRole("dialog", { name: "Start from the template?" });
  await expect(question).toContainText("A new draft starts from Launch.");
  await expectNothingFound(page, "the question before a draft is replaced", ONE_THEME);
  await question
    .getByRole("link", { name: "Keep writing" })
    .or(question.getByRole("button", { name: "Keep writing" }))
    .click();
  await expect(getTitle(page)).toHaveValue("We are live, at last");
  await panel.getByRole("button", { name: "Use template" }).click();
  await question.getByRole("button", { name: "Start from it" }).click();
  await expect(getTitle(page)).toHaveValue("We are live");
  await page.getByRole("link", { name: "Open what was written before" }).click();
  await expect(getTitle(page)).toHaveValue("We are live, at last");
});

test("a template is copied again into a draft that was emptied @js", async ({ page, product }) => {
  await signIn(page, product);
  await createTemplate(page, "Launch", "We are live");
  await page.goto("/admin/dashboard");
  const panel = page.locator("#outreach");
  await panel.getByLabel("Start from").selectOption("Launch");
  await panel.getByRole("button", { name: "Use template" }).click();
  await expect(getTitle(page)).toHaveValue("We are live");
  await getTitle(page).fill("");
  await panel.getByLabel("Email Message").fill("");
  await panel.getByRole("button", { name: "Use template" }).click();
  await expect(getTitle(page)).toHaveValue("We are live");
  await expect(panel.getByLabel("Email Message")).toHaveValue("The text of Launch.");
});

test("an operator writes, changes, deletes and restores templates", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  await openSignedIn(page, product, "/admin/templates");
  await expect(page.getByRole("heading", { name: "No templates yet" })).toBeVisible();
  await expectNothingFound(page, "no template yet");
  await page.getByRole("link", { name: "Write a template" }).first().click();
  await page.getByLabel("Email Title").fill("Kept");
  await page.getByRole("button", { name: "Save template" }).click();
  const name = page.getByLabel("Name", { exact: true });
  await expect(name).toHaveAccessibleDescription(/Please enter the name\./);
  await expect(page.getByLabel("Email Title")).toHaveValue("Kept");
  await expectNothingFound(page, "a template that was refused", ONE_THEME);

  await writeTemplate(page, "Welcome", "You are on the list", "early-access");
  await expect(page.getByRole("heading", { name: "Welcome", level: 1 })).toBeVisible();
  await expect(page.frameLocator("iframe").getByText("The text of Welcome.")).toBeVisible();
  await expectNothingFound(page, "a template");
  await writeTemplate(page, "A second one", "Second");
  await expect(page.getByText("Now: Welcome")).toBeVisible();
  await name.fill("WELCOME");
  await page.getByRole("button", { name: "Save template" }).click();
  await expect(name).toHaveAccessibleDescription(/Another template has this name\./);

  await page.goto("/admin/templates");
  await expect(getRow(page, "Welcome")).toContainText("early-access");
  await expect(getRow(page, "Welcome")).toContainText("not yet");
  await expectNothingFound(page, "the templates");
  if (javaScriptEnabled) {
    await expect(async () => {
      await page.keyboard.press("j");
      await expect(page.getByRole("link", { name: "A second one" }).first()).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press("j");
    await page.keyboard.press("#");
  } else {
    await getRow(page, "Welcome").getByRole("link", { name: "Delete Welcome" }).click();
  }
  const question = page.getByRole("dialog", { name: "Delete this template?" });
  await expect(question).toContainText("It is no longer the default for early-access.");
  await expectNothingFound(page, "the question before a template is deleted", ONE_THEME);
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("status")).toContainText("The template was deleted.");
  await expect(getRow(page, "Welcome")).toHaveCount(0);
  await expectNothingFound(page, "a deleted template");
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expectToBeTold(page, "The template was restored.");
  await expect(getRow(page, "Welcome")).toContainText("early-access");
  for (const width of [360, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNothingFound(page, `the templates at ${width} px`, ONE_THEME);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test("a template that two operators have open is not overwritten @js", async ({ page, context, product }) => {
  await signIn(page, product);
  await page.goto(await createTemplate(page, "Welcome", "You are on the list"));
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Email Title").fill("Theirs");
  await other.getByRole("button", { name: "Save template" }).click();
  await expectToBeTold(other, "The template was saved.");
  await page.getByLabel("Email Title").fill("Mine");
  await page.getByRole("button", { name: "Save template" }).click();
  const conflict = page.getByRole("alert");
  await expect(conflict).toContainText("You changed this template in another window.");
  await expect(conflict).toContainText("Theirs");
  await expect(page.getByLabel("Email Title")).toHaveValue("Mine");
  await expectNothingFound(page, "a template that was changed elsewhere");
  await conflict.getByRole("button", { name: "Save mine instead" }).click();
  await expectToBeTold(page, "The template was saved.");
  await other.reload();
  await expect(other.getByLabel("Email Title")).toHaveValue("Mine");

  // Deleted by a colleague while it is open.
  await other.getByRole("link", { name: "Delete" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expectToBeTold(other, "The template was deleted.");
  await page.getByLabel("Email Title").fill("Not lost");
  await page.getByRole("button", { name: "Save template" }).click();
  await expect(page.getByRole("alert")).toContainText("This template was deleted in the meantime.");
  await expect(page.getByLabel("Email Title")).toHaveValue("Not lost");
  const saveAsNew = page.getByRole("button", { name: "Save as a new template" });
  const message = page.getByLabel("Email Message");
  await message.fill("");
  await saveAsNew.click();
  await expect(message).toHaveAccessibleDescription(/Please enter/);
  await message.fill("Hello again.");
  await saveAsNew.click();
  await expectToBeTold(page, "The template was saved.");
  await expect(page.getByLabel("Email Title")).toHaveValue("Not lost");
});

test("the theme leaves what was typed into a template @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/templates/new");
  const name = page.getByLabel("Name", { exact: true });
  const title = page.getByLabel("Email Title");
  const group = page.getByRole("checkbox", { name: "early-access" });
  await name.fill("Welcome");
  await title.fill("Not saved yet");
  await group.check();
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
  await expect(title).toHaveValue("Not saved yet");
  await expect(group).toBeChecked();
  // Also what was refused.
  await page.getByRole("button", { name: "Save template" }).click();
  const message = page.getByLabel("Email Message");
  await expect(message).toHaveAccessibleDescription(/Please enter/);
  await page.getByRole("button", { name: "Light theme" }).click();
  await expect(message).not.toHaveAccessibleDescription(/Please enter/);
  await expect(title).toHaveValue("Not saved yet");
  await message.fill("Hello.");
  await page.getByRole("button", { name: "Save template" }).click();
  await expectToBeTold(page, "The template was saved.");

  // The page has loaded another window's text since: it is not overwritten unseen, nor what is typed here lost.
  await title.fill("Mine");
  const { pathname } = new URL(page.url());
  const base = await page.locator("input[name=base]").inputValue();
  const theirs = {
    intent: "save",
    base,
    name: "Welcome",
    title: "Theirs",
    message: "Hello.",
    format: "markdown",
  };
  await postForm(page, pathname, theirs);
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Save template" }).click();
  await expect(page.getByRole("alert")).toContainText("You changed this template in another window.");
  await expect(title).toHaveValue("Mine");
  await postForm(page, "/admin/templates", { intent: "delete", template: pathname.split("/").at(-1) ?? "" });
  await page.getByRole("button", { name: "Light theme" }).click();
  await expect(page.getByRole("heading", { name: "This template no longer exists", level: 1 })).toBeVisible();
  await expect(title).toHaveValue("Mine");
});

test("an empty campaign starts from the default of its group", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  await signIn(page, product);
  await createTemplate(page, "Welcome", "You are on the list", "early-access");
  await createTemplate(page, "News", "What is new", "updates-signup");
  await page.goto("/admin/dashboard");
  const panel = page.locator("#outreach");
  const useDefault = panel.getByRole("button", { name: "Start from the default" });
  await expect(useDefault).toBeVisible();
  if (javaScriptEnabled) {
    await expect(panel.getByRole("group", { name: "Formatting" })).toBeVisible();
    await panel.getByLabel("Recipient group").selectOption("contact-form");
    await expect(useDefault).toBeHidden();
    await expect(getTitle(page)).toHaveValue("");
  }
  await panel.getByLabel("Recipient group").selectOption("updates-signup");
  if (!javaScriptEnabled) await useDefault.click();
  await expect(getTitle(page)).toHaveValue("What is new");
  await expect(panel.getByLabel("Recipient group")).toHaveValue("updates-signup");

  // A written one does not.
  await page.goto("/admin/dashboard");
  await writeEmail(page, "Mine", "My words.");
  await panel.getByLabel("Recipient group").selectOption("updates-signup");
  if (javaScriptEnabled) await expect(panel.getByText("Draft saved")).toBeVisible();
  await expect(getTitle(page)).toHaveValue("Mine");
});
