import type { Page, Request } from "@playwright/test";
import type { ServerProcess } from "../server-process";
import { readRows } from "../server/visitors";
import { expectNothingFound } from "./axe";
import {
  expect,
  expectToBeTold,
  holdBack,
  logInForTheFirstTime,
  openSignedIn,
  signIn,
  signUp,
  submitLogin,
  test,
  writeEmail,
} from "./product";

const CONFIRMED_BEFORE = "This draft was already confirmed. What you have here is a new draft now.";

/** Confirms the draft that the page has open. */
async function confirmInAnotherWindow(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: "Send Email" }).click();
  await other.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(other).toHaveURL(/\?send=/);
  await other.close();
}

/** Ends the session that the page has, whose cookie it keeps. */
async function endSession(page: Page, product: ServerProcess): Promise<void> {
  const context = page.context();
  const cookies = await context.cookies();
  await context.request.post(`${product.origin}/logout`, {
    headers: { "Sec-Fetch-Site": "same-origin" },
    maxRedirects: 0,
  });
  await context.addCookies(cookies);
}

async function logInElsewhere(page: Page, product: ServerProcess): Promise<void> {
  const tab = await page.context().newPage();
  await signIn(tab, product);
  await tab.close();
}

test.describe("an operator", () => {
  test("is told of a wrong password, keeps the address and gets in with the right one", async ({
    page,
    product,
    javaScriptEnabled,
  }) => {
    await page.goto("/login");
    await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
    await expect(page.getByText("If you need access, please contact an administrator.")).toBeVisible();
    await submitLogin(page, "superadmin@example.com", "not it");
    await expect(page.getByRole("alert")).toContainText("Invalid email or password");
    if (javaScriptEnabled) await expect(page.getByLabel("Password")).toBeFocused();
    await expect(page.getByLabel("Email")).toHaveValue("superadmin@example.com");
    if (javaScriptEnabled) {
      // Typing in either field takes the message away.
      await page.getByLabel("Password").fill("not it either");
      await expect(page.getByRole("alert")).toHaveCount(0);
      await page.getByRole("button", { name: "Login" }).click();
      await expect(page.getByRole("alert")).toContainText("Invalid email or password");
      await page.getByLabel("Email").press("End");
      await page.getByLabel("Email").press("x");
      await expect(page.getByRole("alert")).toHaveCount(0);
    }
    await logInForTheFirstTime(page, product);
  });

  test("finds the current entry, the dark theme and a narrow rail @js", async ({ page, product }) => {
    await signIn(page, product);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/admin/dashboard");
    await expect(page.getByRole("link", { name: "Reset Password" })).toBeHidden();
    const menu = page.getByText("Menu", { exact: true });
    await menu.click();
    await expect(page.getByRole("link", { name: "Reset Password" })).toBeVisible();
    await menu.click();
    await expect(page.getByRole("link", { name: "Reset Password" })).toBeHidden();
    await menu.click();
    await page.getByRole("link", { name: "Reset Password" }).click();
    await expect(page).toHaveURL(/\/admin\/password-reset/);

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/admin");
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await expect(page.getByRole("link", { name: "Dashboard" }).first()).toHaveAttribute(
      "aria-current",
      "page",
    );

    await page.getByRole("button", { name: "Dark theme" }).click();
    await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await page.getByRole("button", { name: "Collapse the menu" }).click();
    await expect(page.getByRole("button", { name: "Expand the menu" })).toBeVisible();
    await page.reload();
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(18, 19, 23)");
    const rail = page.getByRole("navigation", { name: "Back office" });
    expect((await rail.boundingBox())?.width).toBeLessThan(64);
    await expect(rail.getByRole("link", { name: "Dashboard" })).toBeVisible();

    await page.goto("/admin/no-such-page");
    await expect(page).toHaveURL(`${product.origin}/`);
    await page.goto("/admin/dashboard");
    const user = () => page.evaluate(() => localStorage.getItem("user"));
    // The state after a login.
    await page.evaluate(() => localStorage.setItem("user", '{"role":"superadmin"}'));
    await page.getByRole("button", { name: "Logout" }).first().click();
    await expect(page).toHaveURL(/\/login/);
    await expect.poll(user).toBeNull();
    await page.goBack();
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByText("Total Signups")).toHaveCount(0);
  });

  // C17
  test("finds an unfinished email again and previews it", async ({ page, product, javaScriptEnabled }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    const hostile = `<script>top.x=1</script><img src=x onerror="top.x=1">`;
    const panel = await writeEmail(page, "In spring", hostile);
    const isSaved = page.getByText("Draft saved").first();
    if (test.info().project.name === "no-js") await panel.getByRole("button", { name: "Save Draft" }).click();
    await expect(isSaved).toBeVisible();
    await expect(page).toHaveURL(/draft=/);
    await page.getByRole("link", { name: "Early Access Signups" }).click();
    await expect(page).toHaveURL(/draft=.*#early-access$/);
    await page.reload();
    await expect(panel.getByLabel("Email Message")).toHaveValue(hostile);
    await page.goto("/admin/outreach");
    await page.getByRole("link", { name: "In spring" }).click();
    await expect(panel.getByLabel("Email Message")).toHaveValue(hostile);

    // Their session ends meanwhile: what is typed comes through the login.
    await endSession(page, product);
    // Typing has not paused when the button is pressed: an autosave would leave the page.
    if (javaScriptEnabled) {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
    }
    await panel.getByLabel("Email Title").fill("In summer");
    await panel.getByRole("button", { name: "Save Draft" }).click();
    await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
    if (javaScriptEnabled) await page.clock.resume();
    await logInElsewhere(page, product);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(panel.getByLabel("Email Title")).toHaveValue("In summer");
    await expect(panel.getByLabel("Email Message")).toHaveValue(hostile);

    await panel.getByRole("button", { name: "Preview Recipients" }).click();
    const email = page.frameLocator('iframe[title="The email as its reader sees it"]');
    await expect(email.getByText("<script>top.x=1</script>")).toBeVisible();
    await expect(email.getByRole("link", { name: "Unsubscribe" })).toBeVisible();
    await panel.getByText("The same as plain text").click();
    await expect(panel.locator("pre")).toContainText("Unsubscribe: ");
    expect(await page.evaluate(() => "x" in window)).toBe(false);
  });

  test("keeps the rest of the address when a draft is saved @js", async ({ page, product }) => {
    await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "In spring", "Hello");
    await expect(page).toHaveURL(/\?draft=[^#]+#outreach$/);
    const byWeek = page.getByRole("link", { name: "By week" });
    await byWeek.click();
    await expect(page).toHaveURL(/\?over=week&draft=[^#]+#over-time$/);
    await page.reload();
    await expect(byWeek).toHaveAttribute("aria-current", "true");

    await panel.getByLabel("Email Title").fill("In autumn");
    await expect(panel.getByText("Draft saved")).toBeVisible();
    await panel.getByRole("button", { name: "Preview Recipients" }).click();
    const preview = panel.getByRole("region", { name: "Preview Recipients" });
    await expect(preview).toBeVisible();
    await page.reload();
    await expect(preview).toBeVisible();
  });

  // C30
  test("is shown a colleague's change in the question itself, and Enter sends nothing @js", async ({
    page,
    product,
    smtp,
    browser,
  }) => {
    await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "In spring", "My words.");
    await panel.getByRole("button", { name: "Send Email" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
    await expect(dialog).toContainText("My words.");

    const other = await browser.newPage({ baseURL: product.origin });
    await openSignedIn(other, product, page.url().replace("&step=confirm", ""));
    await other.getByLabel("Email Message").fill("Other words.");
    await other.getByRole("button", { name: "Save Draft" }).click();
    await expectToBeTold(other, "Draft saved");
    await other.close();

    await dialog.getByText("Send later").click();
    await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
    await expect(dialog.getByRole("alert")).toContainText("so nothing was sent");
    await expect(dialog.getByRole("alert")).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole("alert")).toContainText("Changed by you in another window");
    await expect(dialog.getByRole("region", { name: "What you confirmed" })).toContainText("My words.");
    await expect(dialog.getByRole("region", { name: "What it is now" })).toContainText("Other words.");
    await expect(dialog.getByRole("link", { name: "Cancel" })).toBeFocused();
    await expectNothingFound(page, "the question after a change");
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    expect(readRows(product, "select state, message from campaigns")).toEqual([
      { state: "draft", message: "Other words." },
    ]);
    expect(smtp.count()).toBe(0);
  });

  // C30
  test("is not asked to send a draft again that was confirmed elsewhere", async ({ page, product, smtp }) => {
    await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "In spring", "Hello");
    await panel.getByRole("button", { name: "Save Draft" }).click();
    await expect(page).toHaveURL(/\?draft=[^#]+#outreach$/);
    await confirmInAnotherWindow(page);
    await expect.poll(() => smtp.count()).toBe(1);

    await panel.getByRole("button", { name: "Send Email" }).click();
    await expect(panel.getByRole("alert")).toHaveText(CONFIRMED_BEFORE);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(panel.getByLabel("Email Message")).toHaveValue("Hello");
    await expectNothingFound(page, "a draft that was confirmed elsewhere");
    await panel.getByRole("button", { name: "Send Email" }).click();
    await expect(page.getByRole("dialog", { name: "Confirm Email Send" })).toBeVisible();
    expect(smtp.count()).toBe(1);
  });

  test("is told while typing that a draft was confirmed elsewhere @js", async ({ page, product }) => {
    await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "In spring", "Hello");
    await panel.getByRole("button", { name: "Save Draft" }).click();
    await expect(page).toHaveURL(/\?draft=[^#]+#outreach$/);
    await confirmInAnotherWindow(page);

    const message = panel.getByLabel("Email Message");
    await message.press("End");
    await message.pressSequentially(" and");
    await expect(panel.getByRole("alert")).toHaveText(CONFIRMED_BEFORE);
    await expect(message).toBeFocused();
    const again = page.waitForResponse(
      (response) => response.request().postData()?.includes("again") === true,
    );
    await message.pressSequentially(" again");
    await again;
    await expect(panel.getByText("Draft saved")).toBeVisible();
    await expect(panel.getByRole("alert")).toHaveText(CONFIRMED_BEFORE);
  });

  test("is told after a login that a draft was confirmed elsewhere @js", async ({ page, product }) => {
    await signUp(product, { name: "Ada Byron", email: "ada@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "In spring", "Hello");
    await panel.getByRole("button", { name: "Save Draft" }).click();
    await expect(page).toHaveURL(/\?draft=[^#]+#outreach$/);
    await confirmInAnotherWindow(page);
    await endSession(page, product);
    await panel.getByLabel("Email Message").fill("Hello again");
    await expect(page.getByRole("heading", { name: "Your session has ended" })).toBeVisible();
    await logInElsewhere(page, product);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(panel.getByRole("alert")).toHaveText(CONFIRMED_BEFORE);
    await expect(panel.getByLabel("Email Message")).toHaveValue("Hello again");
  });

  test("opens the text that was saved in another window @js", async ({ page, product }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "In autumn", "Hello");
    await panel.getByRole("button", { name: "Save Draft" }).click();
    await expect(page).toHaveURL(/\?draft=[^#]+#outreach$/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    const saved = other.waitForResponse(
      (response) => response.request().postData()?.includes("intent=autosave") === true,
    );
    await other.getByLabel("Email Message").fill("Hello from the other window");
    await saved;
    await panel.getByLabel("Email Message").fill("Hello from here");
    await panel.getByRole("link", { name: "Open the saved text" }).click();
    await expect(panel.getByLabel("Email Message")).toHaveValue("Hello from the other window");
    await expect(panel.getByRole("link", { name: "Open the saved text" })).toHaveCount(0);
    await expect(panel.getByLabel("Email Message")).toBeInViewport();
  });

  test("saves one draft though saving is slow, and discards all of it @js", async ({ page, product }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = await writeEmail(page, "In autumn", "Hello");
    await panel.getByRole("button", { name: "Discard" }).click();
    await expect(panel.getByLabel("Email Title")).toHaveValue("");

    const release = await holdBack(page, "**/admin/dashboard.data*");
    const isSent = (intent: string) => (request: Request) => request.postData()?.includes(intent) === true;
    const autosave = page.waitForRequest(isSent("intent=autosave"));
    await writeEmail(page, "In spring", "Hello");
    await autosave;
    const saved = page.waitForResponse((response) => isSent("intent=save")(response.request()));
    await panel.getByRole("button", { name: "Save Draft" }).click();
    release();
    await saved;
    await page.goto("/admin/outreach");
    await expect(page.getByRole("link", { name: "In spring" })).toHaveCount(1);
  });

  test("is asked before an email is sent, though it is saved in the meantime @js", async ({
    page,
    product,
  }) => {
    await signUp(product, { name: "Ada Lovelace", email: "ada@example.com" });
    await openSignedIn(page, product, "/admin/dashboard");
    const isAutosave = (request: Request) => request.postData()?.includes("intent=autosave") === true;
    const question = Promise.withResolvers<undefined>();
    let isAsked = false;
    // The answer to the autosave comes while the question is loaded, which Remix then ends.
    await page.route("**/admin/dashboard.data*", async (route) => {
      const answer = isAutosave(route.request()) ? await route.fetch() : undefined;
      if (answer) {
        await question.promise;
        await route.fulfill({ response: answer });
      } else if (!isAsked && route.request().url().includes("step=confirm")) {
        isAsked = true;
        question.resolve(undefined);
      } else {
        await route.continue();
      }
    });
    const autosave = page.waitForRequest(isAutosave);
    const panel = await writeEmail(page, "In spring", "Hello");
    await autosave;
    await panel.getByRole("button", { name: "Send Email" }).click();
    await expect(page.getByRole("dialog", { name: "Confirm Email Send" })).toContainText("In spring");
  });

  test("finds what was typed just before a link was followed, or a button refused @js", async ({
    page,
    product,
  }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    // However slow the machine is, typing has not paused when the link is followed.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const panel = await writeEmail(page, "In spring", "Pasted at once.");
    await page.getByRole("link", { name: "User Management" }).first().click();
    await expect(page.getByRole("heading", { name: "User Management" })).toBeVisible();
    const storedMessages = () => readRows(product, "select message from campaigns");
    await expect.poll(storedMessages).toEqual([{ message: "Pasted at once." }]);
    await page.clock.resume();
    await page.goto("/admin/outreach");
    await page.getByRole("link", { name: "In spring" }).click();
    await expect(panel.getByLabel("Email Message")).toHaveValue("Pasted at once.");

    await panel.getByLabel("Email Message").fill("Pasted again.");
    await panel.getByRole("button", { name: "Send Test" }).click();
    await expect(panel.getByLabel("Test email address")).toHaveAccessibleDescription(
      /Please enter the test address/,
    );
    await expect.poll(storedMessages).toEqual([{ message: "Pasted again." }]);
  });

  test("sees what a button needs, and whether nobody gets the email @js", async ({ page, product, smtp }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = page.locator("#outreach");
    await panel.getByLabel("Email Message").fill("A message without a title");
    await panel.getByRole("button", { name: "Send Test" }).click();
    await expect(panel.getByLabel("Test email address")).toHaveAccessibleDescription(
      /Please enter the test address/,
    );
    await panel.getByRole("button", { name: "Send Email" }).click();
    await expect(panel.getByLabel("Email Title")).toHaveAccessibleDescription(/Please enter the title/);
    await expectNothingFound(page, "the outreach panel with errors");
    await expect(panel.getByLabel("Email Message")).toHaveValue("A message without a title");
    await panel.getByLabel("Email Title").fill("Hello");
    await panel.getByRole("button", { name: "Send Email" }).click();
    await expect(panel.getByRole("alert")).toContainText("Nobody in this group can get this email yet");
    await expect(panel.getByLabel("Email Message")).toHaveValue("A message without a title");
    expect(smtp.count()).toBe(0);
  });

  test("sees a spinner when the back office is slow to open @js", async ({ page, product }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    await page.getByRole("link", { name: "Open the form" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    const release = await holdBack(page, "**/admin/dashboard.data*");
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const dataRequest = page.waitForRequest("**/admin/dashboard.data*");
    await page.evaluate(() => history.back());
    await dataRequest;
    // A fast response shows nothing, but the live region is there to be filled.
    await expect(page.getByRole("status")).toBeAttached();
    await page.clock.runFor(199);
    await expect(page.getByRole("status")).toBeEmpty();
    await page.clock.runFor(1);
    await expect(page.getByRole("status")).toHaveText("Opening the back office");
    release();
    await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
    await expect(page.getByText("Opening the back office")).toHaveCount(0);

    const answer = await holdBack(page, "**/admin/resouces-monitor.data*");
    await page.getByRole("link", { name: "Server Resources" }).click();
    const bar = page.getByRole("progressbar", { name: "Loading" });
    const placeAfter = (ms: number) =>
      bar.locator("div").evaluate((element, time) => {
        for (const animation of element.getAnimations()) {
          animation.pause();
          animation.currentTime = time;
        }
        const { top, left, right } = element.getBoundingClientRect();
        return { top, isSeen: left < window.innerWidth && right > 0 };
      }, ms);
    expect(await placeAfter(300)).toEqual({ top: 0, isSeen: true });
    expect(await placeAfter(199)).toEqual({ top: 0, isSeen: false });
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await placeAfter(199)).toEqual({ top: 0, isSeen: false });
    answer();
    await expect(page.getByRole("heading", { name: "System Resources Monitor" })).toBeVisible();
    await expect(bar).toHaveCount(0);
  });
});
