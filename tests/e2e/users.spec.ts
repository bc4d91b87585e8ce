import { seconds } from "../../app/lib/durations";
import {
  expect,
  expectToBeTold,
  holdBack,
  openSignedIn,
  postForm,
  submitLogin,
  submitPassword,
  test,
} from "./product";

const ADA = { email: "ada@example.com", name: "Ada Byron" };
const GUESSED = "iloveyou";

test.describe("a superadmin", () => {
  test("adds a user, who must choose a password first, and removes them", async ({
    page,
    product,
    browser,
    javaScriptEnabled,
  }) => {
    await openSignedIn(page, product, "/admin/users");
    await page.getByLabel("Email Address").fill(ADA.email);
    await page.getByLabel("Full Name").fill(ADA.name);
    await page.getByRole("button", { name: "Add New User" }).click();
    // It is hidden after five seconds.
    const temporary = await page.locator("code").innerText();
    await expect(page.getByText("User created successfully")).toBeVisible();
    expect(temporary).toMatch(/^.{8}A1!$/);
    const row = page.getByRole("row").filter({ hasText: ADA.email });
    const question = page.getByRole("dialog", { name: "Remove this user?" });
    if (javaScriptEnabled) {
      // What is typed after that stays while the answer goes.
      await page.getByLabel("Full Name").fill("Next one");
      await row.getByRole("link", { name: "Remove Ada Byron" }).click();
      await question.getByRole("link", { name: "Keep this user" }).click();
      await expect(page.locator("body")).not.toContainText(temporary);
      await expect(page.getByLabel("Full Name")).toHaveValue("Next one");
    }

    const context = await browser.newContext({ baseURL: product.origin, javaScriptEnabled });
    const ada = await context.newPage();
    await ada.goto("/login");
    await submitLogin(ada, ADA.email, temporary);
    await expect(ada).toHaveURL(/\/admin\/password-reset/);
    await expect(ada.getByRole("link", { name: "Dashboard" })).toHaveCount(0);
    await submitPassword(ada, temporary, GUESSED);
    await expect(ada.getByRole("alert")).toContainText("Failed to reset password");
    await expect(ada.getByLabel("New Password", { exact: true })).toHaveAccessibleDescription(
      /one of the 20,000 most common passwords/,
    );
    await expect(ada.getByLabel("Current Password")).toHaveValue(javaScriptEnabled ? temporary : "");
    const release = javaScriptEnabled ? await holdBack(ada, "**/admin/password-reset.data*") : undefined;
    await submitPassword(ada, temporary, "ada's own password");
    if (release) {
      await expect(ada.getByRole("button", { name: "Resetting..." })).toBeDisabled();
      release();
    }
    await expectToBeTold(ada, "Password reset successfully. Welcome to the back office.");
    await ada.goto("/admin/dashboard");
    await expect(ada.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
    await context.close();

    await page.goto("/admin/users");
    await expect(row).toContainText("active");
    await row.getByRole("link", { name: "Remove Ada Byron" }).click();
    await expect(question).toContainText(ADA.email);
    await expect(question).toContainText("This action cannot be undone");
    await question.getByRole("link", { name: "Keep this user" }).click();
    await expect(question).toHaveCount(0);
    await row.getByRole("link", { name: "Remove Ada Byron" }).click();
    await question.getByRole("button", { name: "Yes, Remove User" }).click();
    await expectToBeTold(page, "User removed successfully");
    await expect(page.getByRole("row").filter({ hasText: ADA.email })).toHaveCount(0);
  });

  test("adds a user from the dashboard, and finds cards on a small screen @js", async ({ page, product }) => {
    await openSignedIn(page, product, "/admin/dashboard");
    const panel = page.getByRole("region", { name: "User Management" });
    await expect(panel).toContainText(
      "New users must change their password on first login. The temporary password is shown after creation, once.",
    );
    await panel.getByLabel("Email Address").fill(ADA.email);
    await panel.getByLabel("Full Name").fill(ADA.name);
    await panel.getByRole("button", { name: "Add New User" }).click();
    await expect(panel.locator("code")).toHaveText(/A1!$/);
    await expect(panel).toContainText("User created successfully");
    await expect(page).toHaveURL(/\/admin\/dashboard/);
    await expect(panel.getByLabel("Email Address")).toHaveValue("");
    await panel.getByRole("link", { name: "See all users" }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    const card = page.getByRole("row").filter({ hasText: ADA.email });
    await expect(card).toContainText("has not logged in yet, password expires in 24 hours");
    await card.getByRole("link", { name: "Remove Ada Byron" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect(page.locator("code")).toHaveCount(0);
    await page.getByRole("button", { name: "Yes, Remove User" }).click();
    await expectToBeTold(page, "User removed successfully");
  });
});

test("a refused removal closes its question and says why @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/users");
  await postForm(page, "/admin/users", { intent: "add", email: ADA.email, fullName: ADA.name });
  await page.reload();
  await page.getByRole("link", { name: "Remove Ada Byron" }).click();
  const question = page.getByRole("dialog", { name: "Remove this user?" });
  const account = await question.locator("input[name=account]").inputValue();
  await postForm(page, "/admin/users", { intent: "promote", account });
  await question.getByRole("button", { name: "Yes, Remove User" }).click();
  await expect(page.getByRole("alert")).toContainText("Superadmins cannot be removed.");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page).toHaveURL(/#main$/);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a reissued password is brought to the screen, with the focus on Copy @js", async ({
  page,
  product,
}) => {
  await openSignedIn(page, product, "/admin/users");
  // Stands still, so that no password is hidden meanwhile.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + seconds(60));
  for (const [width, height] of [
    [1280, 400],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByLabel("Email Address").fill(`ada-${width}@example.com`);
    await page.getByLabel("Full Name").fill(`Ada ${width}`);
    await page.getByRole("button", { name: "Add New User" }).click();
    await expect(page.getByText("User created successfully")).toBeVisible();

    const row = page.getByRole("row").filter({ hasText: `ada-${width}@example.com` });
    await expect(page.getByLabel("Full Name")).toHaveValue("");
    await page.getByLabel("Full Name").fill("Typed since");
    await row.getByRole("link", { name: /^Reissue / }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reissue temporary password" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Copy" })).toBeFocused();
    await expect(page.locator("code")).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel("Full Name")).toHaveValue("Typed since");
  }
});

/** Only JavaScript hides it; without, it stays until the next page (tests/server/users.test.ts). */
test("a temporary password is hidden after five seconds @js", async ({ page, product, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openSignedIn(page, product, "/admin/users");
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + seconds(60));
  const password = page.locator("code");
  const fillInUser = async (name: string) => {
    // While the list is read again after the user before, the form sends nothing.
    await expect(page.getByRole("button", { name: "Add New User" })).toBeEnabled();
    await page.getByLabel("Email Address").fill(`${name}@example.com`);
    await page.getByLabel("Full Name").fill(name);
  };
  const addByMouse = async (name: string) => {
    await fillInUser(name);
    await page.getByRole("button", { name: "Add New User" }).click();
    await expect(page.getByText(`Temporary password for ${name} (`)).toBeVisible();
  };
  /** Lets React end what a movement began: while the clock stands, a timer that it sets after `runFor` never ends. */
  const settle = () => page.evaluate(() => scheduler.postTask(() => {}, { priority: "background" }));
  const expectHidden = async () => {
    await expect(page.getByText("The temporary password is hidden again.")).toBeVisible();
    await expect(password).toHaveCount(0);
  };

  await test.step("hidden", async () => {
    await addByMouse("nobody");
    await page.mouse.move(0, 0);
    await settle();
    await page.clock.runFor(seconds(5) - 1);
    await expect(password).toBeVisible();
    await page.clock.runFor(1);
    await expectHidden();
  });
  await test.step("pointed at", async () => {
    await addByMouse("pointer");
    await password.hover();
    await settle();
    await page.clock.runFor(seconds(60));
    await expect(password).toBeVisible();
    await page.mouse.move(0, 0);
    await settle();
    await page.clock.runFor(seconds(5));
    await expectHidden();
  });
  await test.step("focused, where the keyboard arrives by itself", async () => {
    await fillInUser("keyboard");
    await page.getByLabel("Full Name").press("Enter");
    await expect(page.getByRole("button", { name: "Copy" })).toBeFocused();
    await expect(page.getByRole("button", { name: "Add New User" })).toBeEnabled();
    await page.clock.runFor(seconds(60));
    await expect(password).toBeVisible();
    await page.keyboard.press("Tab");
    await page.clock.runFor(seconds(5));
    await expectHidden();
  });
  await test.step("copied", async () => {
    await addByMouse("copier");
    await page.getByRole("button", { name: "Copy" }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    await page.mouse.move(0, 0);
    await page.clock.runFor(seconds(60));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await password.innerText());
  });
});
