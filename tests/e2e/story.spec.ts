import { expectNothingFound } from "./axe";
import { expect, expectToBeTold, openLanding, openSignedIn, signUp, test, writeEmail } from "./product";
import { submitForm, visitorForms } from "./visitor-forms";

const visitors = [
  { name: "Ada Byron", email: "ada@example.com", company: "Analytical Engines", role: "developer" },
  { name: "Grace Hopper", email: "grace@example.com" },
  { name: "Zoë Ångström", email: "zoe@example.com", role: "manager" },
] as const;

test("three visitors sign up, and the superadmin writes to them", async ({ page, product, smtp }) => {
  const [ada, ...others] = visitors;
  const [earlyAccess] = visitorForms;
  await openLanding(page);
  await page.getByRole("link", { name: earlyAccess.button }).first().click();
  // Fills in Ada's fields.
  await submitForm(page, earlyAccess);
  // The last one is Ada again, who is counted once.
  for (const visitor of [...others, ada]) await signUp(product, visitor);

  await openSignedIn(page, product, "/admin/dashboard");
  await expect(page.getByRole("heading", { name: "Admin Dashboard", level: 1 })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Early Access Signups" })).toContainText("3");
  for (const { email } of visitors) await expect(page.getByRole("cell", { name: email })).toBeVisible();

  const message = "Dear {{name}},\n\nread more at https://example.com/news\n\nThe team";
  const panel = await writeEmail(page, "Hello {{name}}", message);
  await panel.getByLabel("Test email address").fill("me@example.com");
  await panel.getByRole("button", { name: "Send Test" }).click();
  await expectToBeTold(page, "Test email sent successfully!");
  expect(smtp.emails.map((email) => email.to)).toEqual([["me@example.com"]]);
  await expect(panel.getByLabel("Email Title")).toHaveValue("Hello {{name}}");

  await panel.getByRole("button", { name: "Preview Recipients" }).click();
  const preview = panel.getByRole("region", { name: "Preview Recipients" });
  await expect(preview).toContainText("3 recipients in total");
  for (const { email } of visitors) await expect(preview).toContainText(email);
  await expectNothingFound(page, "the recipients' preview");
  await panel.getByRole("button", { name: "Edit Message" }).click();
  await expect(panel.getByLabel("Email Message")).toHaveValue(/read more at/);

  await panel.getByRole("button", { name: "Send Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
  await expect(dialog).toContainText(
    "You are about to send an email to 3 recipients. This action cannot be undone. Are you sure you want to proceed?",
  );
  // The mail server is on this machine, so it may be a catcher; another one would have stopped the start.
  await expect(dialog).toContainText(`Links in this email lead to ${product.origin}`);
  await expectNothingFound(page, "the confirmation");
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(panel.getByLabel("Email Title")).toHaveValue("Hello {{name}}");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page.getByText("Emails sent successfully")).toBeVisible();
  await expect(panel).toContainText("3 sent.");
  await expectNothingFound(page, "the result");
  await expect(panel.getByLabel("Recipient group")).toHaveValue("early-access");
  await expect(panel.getByLabel("Email Title")).toHaveValue("");

  const received = smtp.emails.slice(1);
  expect(received.flatMap((email) => email.to).sort()).toEqual(
    visitors.map((visitor) => visitor.email).sort(),
  );
  for (const visitor of visitors) {
    const email = await received.find((one) => one.to.includes(visitor.email))!.parse();
    expect(email.subject).toBe(`Hello ${visitor.name}`);
    expect(email.text).toContain(`Dear ${visitor.name},`);
    expect(email.html).toContain('href="https://example.com/news"');
    const header = (name: string) => email.headers.find((one) => one.key === name)?.value;
    expect(header("list-unsubscribe")).toMatch(new RegExp(`^<${product.origin}/unsubscribe/[\\w.-]+>$`));
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  }

  const gracesEmail = await received.find((one) => one.to.includes("grace@example.com"))!.parse();
  const link = gracesEmail.headers.find((one) => one.key === "list-unsubscribe")!.value.slice(1, -1);
  expect((await fetch(link)).status).toBe(200);
  const oneClick = await fetch(link, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  expect(oneClick.status).toBe(200);

  await writeEmail(page, "Second email", "For those who stayed.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(dialog).toContainText("2 recipients");
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page.getByText("Emails sent successfully")).toBeVisible();
  await expect(panel).toContainText("2 sent, 1 skipped (1 unsubscribed).");
  expect(
    smtp.emails
      .slice(4)
      .flatMap((email) => email.to)
      .sort(),
  ).toEqual(["ada@example.com", "zoe@example.com"]);
});
