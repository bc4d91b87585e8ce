import type { Page, Response } from "@playwright/test";
import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, openSignedIn, submitLogin, test } from "./product";

const ADA = { email: "ada@example.com", name: "Ada Byron" };
const ADAS_PASSWORD = "a password of ada's own";

/** Sends the invitation's form without waiting for the answer. */
async function invite(page: Page, { email, name }: typeof ADA, { isEmailed = true } = {}): Promise<void> {
  await page.getByLabel("Colleague's address").fill(email);
  await page.getByLabel("Colleague's name").fill(name);
  await page.getByLabel("Also send the link by email").setChecked(isEmailed);
  await page.getByRole("button", { name: "Invite", exact: true }).click();
}

/** Reads the link that the screen shows once. */
async function readLink(page: Page): Promise<string> {
  const code = page.locator("code");
  await expect(code).toHaveText(/\/invitation\/[\w-]{43}$/);
  return code.innerText();
}

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

/** Chooses a password on the page of an open link, which leads to the login. */
async function accept(page: Page, password: string): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password, once more").fill(password);
  await page.getByRole("button", { name: "Create my account" }).click();
}

async function expectEnded(page: Page, link: string, heading: string): Promise<void> {
  expect((await page.goto(link))?.status()).toBe(410);
  await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
}

test("a colleague is invited by a link, becomes a superadmin and an admin again, and is removed", async ({
  page,
  product,
  browser,
  javaScriptEnabled,
}) => {
  await openSignedIn(page, product, "/admin/users");
  await invite(page, ADA, { isEmailed: false });
  await expect(page.getByText(`Invitation for ${ADA.name} (${ADA.email})`)).toBeVisible();
  const link = await readLink(page);
  await expect(rowOf(page, ADA.email)).toContainText("waiting, expires in 3 days");
  await expect(rowOf(page, ADA.email)).toContainText("no email, link only");
  await expectNothingFound(page, "a new invitation");
  if (javaScriptEnabled) {
    // What is typed after that stays while the answer goes.
    await page.getByLabel("Colleague's name").fill("Next one");
    await rowOf(page, ADA.email).getByRole("link", { name: "New link" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Keep the old link" }).click();
    await expect(page.locator("code")).toHaveCount(0);
    await expect(page.getByLabel("Colleague's name")).toHaveValue("Next one");
  }
  // The link is shown once.
  await page.goto("/admin/users");
  await expect(page.locator("code")).toHaveCount(0);

  const context = await browser.newContext({ baseURL: product.origin, javaScriptEnabled });
  const ada = await context.newPage();
  await ada.goto(link);
  await expect(ada.getByLabel("Your email address")).toHaveValue(ADA.email);
  await expectNothingFound(ada, "an open invitation");
  await accept(ada, "iloveyou");
  await expect(ada.getByRole("alert")).toContainText("Your account was not created yet");
  await expect(ada.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(
    /one of the 20,000 most common passwords/,
  );
  await expectNothingFound(ada, "a refused password");
  await accept(ada, ADAS_PASSWORD);
  await expect(ada).toHaveURL(/\/login/);
  await expectToBeTold(ada, "Your account is ready. Log in with the password you chose.");
  await submitLogin(ada, ADA.email, ADAS_PASSWORD);
  await expect(ada).toHaveURL(/\/admin/);
  await expect(ada.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  const elsewhere = await context.newPage();
  await expectEnded(elsewhere, link, "This invitation was used");
  await expectNothingFound(elsewhere, "a used invitation");
  const isDocument = (response: Response) => response.request().isNavigationRequest() && response.ok();
  const opened = elsewhere.waitForResponse(isDocument);
  await elsewhere.getByRole("link", { name: "Log in" }).click();
  // A document of its own: only the back office's policy lets it frame previews of emails.
  expect((await opened).headers()["content-security-policy"]).toContain("frame-src 'self'");

  await page.goto("/admin/users");
  await expect(rowOf(page, ADA.email)).toHaveCount(1);
  await expect(rowOf(page, ADA.email)).toContainText("active");
  await rowOf(page, ADA.email).getByRole("link", { name: "Make superadmin" }).click();
  const question = page.getByRole("dialog");
  await expect(question).toContainText(ADA.email);
  await expectNothingFound(page, "the question before a promotion", ONE_THEME);
  await question.getByRole("button", { name: "Make superadmin" }).click();
  await expectToBeTold(page, "This user is a superadmin now.");
  await expect(rowOf(page, ADA.email)).toContainText("Superadmins cannot be removed.");
  // In the session that is open.
  await ada.goto("/admin/users");
  await expect(ada.getByRole("heading", { name: "User Management", level: 1 })).toBeVisible();

  await rowOf(page, ADA.email).getByRole("link", { name: "Make admin" }).click();
  await expect(question).toContainText("User Management closes for them at once");
  await question.getByRole("button", { name: "Make admin" }).click();
  await expectToBeTold(page, "This user is an admin now.");
  await ada.goto("/admin/users");
  await expect(ada).toHaveURL(/\/unauthorized/);

  await rowOf(page, ADA.email)
    .getByRole("link", { name: `Remove ${ADA.name}` })
    .click();
  await question.getByRole("button", { name: "Yes, Remove User" }).click();
  await expectToBeTold(page, "User removed successfully");
  await expect(rowOf(page, ADA.email)).toHaveCount(0);
  await ada.goto("/admin/dashboard");
  await expect(ada).toHaveURL(/\/login/);
  await expectEnded(elsewhere, link, "This invitation was used");
  await context.close();
});

test("a link is renewed and revoked, and says so @js", async ({ page, product, browser }) => {
  await openSignedIn(page, product, "/admin/users");
  await invite(page, ADA, { isEmailed: false });
  const first = await readLink(page);
  await invite(page, ADA, { isEmailed: false });
  await expect(page.getByRole("alert")).toContainText("This address has a pending invitation.");
  await expect(page.getByLabel("Colleague's address")).toHaveValue(ADA.email);

  await rowOf(page, ADA.email).getByRole("link", { name: "New link" }).click();
  const question = page.getByRole("dialog", { name: "Create a new link?" });
  await expect(question).toContainText("The link they have stops working at once.");
  await expectNothingFound(page, "the question before a new link");
  await question.getByRole("link", { name: "Keep the old link" }).click();
  await expect(question).toHaveCount(0);
  await rowOf(page, ADA.email).getByRole("link", { name: "New link" }).click();
  await question.getByLabel("Also send the link by email").uncheck();
  await question.getByRole("button", { name: "Create new link" }).click();
  await expect(question).toHaveCount(0);
  const second = await readLink(page);
  expect(second).not.toBe(first);

  const reader = await browser.newPage({ baseURL: product.origin });
  await expectEnded(reader, first, "This invitation does not work any more");
  await expectNothingFound(reader, "an invitation that was replaced");
  expect((await reader.goto(second))?.status()).toBe(200);

  await page.goto("/admin/users");
  await rowOf(page, ADA.email).getByRole("link", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke invitation" }).click();
  await expectToBeTold(page, "The invitation was revoked.");
  await expect(rowOf(page, ADA.email)).toHaveCount(0);
  await expectEnded(reader, second, "This invitation does not work any more");
  await reader.close();
});

test("the row says what became of its email, and the link in it works @js", async ({
  page,
  product,
  smtp,
  context,
}) => {
  const SLOW = { email: "slow@example.com", name: "Grace Hopper" };
  const GONE = { email: "gone@example.com", name: "Joan Clarke" };
  const accepted = Promise.withResolvers<undefined>();
  smtp.setAnswer((address) => {
    if (address === SLOW.email) return { after: accepted.promise };
    return address === GONE.email ? { code: 550, text: "No such user" } : "ok";
  });
  await openSignedIn(page, product, "/admin/users");
  await invite(page, ADA);
  await expect(rowOf(page, ADA.email)).toContainText("accepted by the mail server");
  const [link = ""] = /https?:\/\/\S+/.exec((await smtp.emails[0]!.parse()).text ?? "") ?? [];
  expect(link).toBe(await readLink(page));

  await invite(page, GONE);
  await expect(rowOf(page, GONE.email)).toContainText("refused by the mail server: 550");
  await expectNothingFound(page, "an invitation whose email was refused");

  await page.getByLabel("Colleague's address").fill(SLOW.email);
  await page.getByLabel("Colleague's name").fill(SLOW.name);
  const invited = page.getByRole("button", { name: "Invite", exact: true }).click({ noWaitAfter: true });
  await expect.poll(() => smtp.rcptTo).toContain(SLOW.email);
  const other = await context.newPage();
  await other.goto("/admin/users");
  await expect(rowOf(other, SLOW.email)).toContainText("queued");
  accepted.resolve(undefined);
  await invited;
  await expect(page.getByText(`Invitation for ${SLOW.name}`)).toBeVisible();
  await expect(rowOf(page, SLOW.email)).toContainText("accepted by the mail server");
  await other.close();

  await page.context().clearCookies();
  await page.goto(link);
  await accept(page, ADAS_PASSWORD);
  await expectToBeTold(page, "Your account is ready.");
});

test.describe("with the outbox", () => {
  test.use({ settings: { MAIL_DRIVER: "outbox" } });

  test("a superadmin finds the link in the outbox @js", async ({ page, product }) => {
    await openSignedIn(page, product, "/admin/users");
    await invite(page, ADA);
    const link = await readLink(page);
    await page.goto("/admin/outbox");
    await page.getByRole("link", { name: `Open the email to ${ADA.email}` }).click();
    await expect(page.getByRole("main")).toContainText(link);
    await page.context().clearCookies();
    await page.goto(link);
    await accept(page, ADAS_PASSWORD);
    await expectToBeTold(page, "Your account is ready.");
  });
});
