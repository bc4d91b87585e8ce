import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, openSignedIn, signUp, test } from "./product";

const MESSAGE = '# Hello {{first_name|there}}\n\n- one\n- two\n\n[Join](https://example.com/join "button")';

test("a campaign is written in Markdown, previewed and sent", async ({ page, product, smtp }) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = page.locator("#outreach");
  await panel.getByLabel("Email Title").fill("News for {{nmae}}");
  await panel.getByRole("combobox", { name: "Format" }).selectOption("markdown");
  await panel.getByRole("textbox", { name: "Email Message" }).fill(MESSAGE);
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(panel.getByText("{{nmae}} is not a field, so nothing was sent.")).toBeVisible();
  await expect(panel.getByRole("textbox", { name: "Email Message" })).toHaveValue(MESSAGE);
  await expectNothingFound(page, "a refused field");

  await panel.getByLabel("Email Title").fill("News for {{first_name|you}}");
  await panel.getByRole("button", { name: "Preview Recipients" }).click();
  const preview = page.getByRole("region", { name: "The email" });
  await expect(preview.getByText("As ada@example.com will see it.")).toBeVisible();
  await expect(preview.getByText("News for Ada")).toBeVisible();
  const email = preview.frameLocator("iframe");
  await expect(email.getByRole("heading", { name: "Hello Ada" })).toBeVisible();
  await expect(email.getByRole("link", { name: "Join" })).toHaveAttribute("href", "https://example.com/join");
  await expect(preview.getByText(/\d+ words, \d+ KB with its design\./)).toBeVisible();
  await expectNothingFound(page, "the preview of Markdown");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect.poll(() => smtp.emails.length).toBe(1);
  const { subject, text, html } = await smtp.emails[0]!.parse();
  expect(subject).toBe("News for Ada");
  expect(text).toMatch(/^Hello Ada\n=+\n\n- one\n- two\n\nJoin:\nhttps:\/\/example\.com\/join\n/);
  expect(html).toMatch(/<li [^>]*>one<\/li>/);
});

test("buttons and keys write the Markdown, and the email is seen beside it @js", async ({
  page,
  product,
}) => {
  await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = page.locator("#outreach");
  const message = panel.getByRole("textbox", { name: "Email Message" });
  const toolbar = panel.getByRole("group", { name: "Formatting" });
  await expect(toolbar.getByRole("button")).toHaveCount(6);
  await message.fill("Hello");
  await message.press("ControlOrMeta+a");
  await message.press("Control+b");
  await expect(message).toHaveValue("**Hello**");
  await toolbar.getByRole("button", { name: "Heading" }).click();
  await expect(message).toHaveValue("## **Hello**");
  await expect(message).toBeFocused();
  await message.press("ControlOrMeta+z");
  await expect(message).toHaveValue("**Hello**");
  await message.fill("");
  await toolbar.getByRole("button", { name: "Heading" }).click();
  await expect(message).toHaveValue("## ");
  // As Firefox does, which inserts no empty text, yet says that it did.
  await page.evaluate(() => {
    const { execCommand } = Document.prototype;
    Document.prototype.execCommand = function (command, ui, text) {
      return (command === "insertText" && text === "") || execCommand.call(this, command, ui, text);
    };
  });
  await toolbar.getByRole("button", { name: "Heading" }).click();
  await expect(message).toHaveValue("");
  await message.press("ControlOrMeta+z");
  await expect(message).toHaveValue("## ");
  await message.fill("**Hello**");
  await message.press("End");
  await panel.getByText("Fields that each recipient fills").click();
  await panel.getByRole("button", { name: "Insert {{first_name|there}}" }).click();
  await expect(message).toHaveValue("**Hello**{{first_name|there}}");

  await panel.getByLabel("Email Title").fill("Hi {{first_name|you}}");
  const beside = page.getByRole("region", { name: "The email" });
  const email = beside.frameLocator("iframe");
  await expect(email.getByText("HelloAda")).toBeVisible();
  await expect(beside.getByText("Hi Ada", { exact: true })).toBeVisible();
  await beside.getByRole("button", { name: "Without a name" }).click();
  await expect(email.getByText("Hellothere")).toBeVisible();
  await expect(beside.getByText("Hi you", { exact: true })).toBeVisible();
  // Changes nothing of the first recipient's email.
  await message.fill("**Hello**{{first_name|friend}}");
  await expect(email.getByText("Hellofriend")).toBeVisible();
  await message.press("Enter");
  await message.pressSequentially("More");
  await expect(email.getByText("More")).toBeVisible();
  await expectNothingFound(page, "writing beside the email");
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(beside).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNothingFound(page, "writing on a small screen", ONE_THEME);
  await panel.getByRole("combobox", { name: "Format" }).selectOption("text");
  await expect(toolbar).toHaveCount(0);
});
