import type { Locator, Page } from "@playwright/test";
import { expectNothingFound, ONE_THEME } from "./axe";
import {
  botPosts,
  expect,
  expectToBeTold,
  OWN_PASSWORD,
  openSignedIn,
  postForm,
  signIn,
  test,
} from "./product";

/** Moves the focus to a control by pressing a key repeatedly. */
async function tabTo(page: Page, control: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("The keyboard does not lead there");
}

test("users, passwords and the rail need no mouse and lose no focus @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/users");
  const main = page.getByRole("main");
  const fullName = page.getByLabel("Full Name");
  const question = page.getByRole("dialog", { name: "Remove this user?" });
  const yes = question.getByRole("button", { name: "Yes, Remove User" });
  const remove = page.getByRole("row").getByRole("link", { name: "Remove Grace Hopper" });

  await tabTo(page, page.getByRole("link", { name: "Skip to content" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Email Address"));
  await page.keyboard.type("grace@example.com");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Please provide both email and full name");
  await expect(fullName).toBeFocused();
  await expectNothingFound(page, "a user that was refused", ONE_THEME);
  await page.keyboard.type("Grace Hopper");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Copy" })).toBeFocused();
  await expectNothingFound(page, "a temporary password");

  const no = question.getByRole("link", { name: "Keep this user" });
  await tabTo(page, remove);
  await page.keyboard.press("Enter");
  await expect(no).toBeFocused();
  await expectNothingFound(page, "the question before a user is removed");
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(remove).toBeFocused();
  await page.keyboard.press("Enter");
  // Whoever presses twice loses nothing.
  await expect(no).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question).toHaveCount(0);
  await expect(remove).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(no).toBeFocused();
  await tabTo(page, yes);
  await page.keyboard.press("Enter");
  await expectToBeTold(page, "User removed successfully");
  await expect(remove).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Users" })).toBeFocused();

  const rail = page.getByRole("navigation", { name: "Back office" });
  await tabTo(page, page.getByRole("button", { name: "Dark theme" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Dark theme" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("button", { name: "Dark theme" })).toBeFocused();
  await tabTo(page, rail.getByRole("link", { name: "Reset Password" }));
  await page.keyboard.press("Enter");
  await expect(main).toBeFocused();

  const current = page.getByLabel("Current Password");
  await tabTo(page, current);
  for (const text of ["not mine", "another password of my own", "another password of my own"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await expect(page.getByRole("button", { name: "Reset Password" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Failed to reset password");
  await expect(current).toBeFocused();
  await expectNothingFound(page, "a password that was refused");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(OWN_PASSWORD);
  await tabTo(page, page.getByRole("button", { name: "Reset Password" }));
  await page.keyboard.press("Enter");
  await expectToBeTold(page, "Password reset successfully");
  // It was disabled while the form was on its way.
  await expect(page.getByRole("button", { name: "Reset Password" })).toBeFocused();
});

test("quarantine and sessions need no mouse and lose no focus @js", async ({ page, product, browser }) => {
  for (const name of ["one", "two"]) await botPosts(product, { name, email: `${name}@example.com` });
  await openSignedIn(page, product, "/admin/quarantine");
  const purge = page.getByRole("group", { name: "Selected" }).getByRole("button", { name: "Purge" });
  const question = page.getByRole("dialog");

  await tabTo(page, page.getByRole("checkbox", { name: "Select the submission of one" }));
  await page.keyboard.press("Space");
  await tabTo(page, purge, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(question.getByRole("link", { name: "Keep them here" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(purge).toBeFocused();
  await expect(page.getByRole("checkbox", { name: "Select the submission of one" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(question.getByRole("link", { name: "Keep them here" })).toBeFocused();
  await tabTo(page, question.getByRole("button", { name: "Purge" }));
  await page.keyboard.press("Enter");
  await expectToBeTold(page, "1 submission purged.");
  // A colleague is quicker.
  const two = page.getByRole("checkbox", { name: "Select the submission of two" });
  await postForm(page, "/admin/quarantine", { intent: "purge", id: await two.inputValue() });
  await tabTo(page, two);
  await page.keyboard.press("Space");
  const release = page.getByRole("group", { name: "Selected" }).getByRole("button", { name: "Release" });
  await tabTo(page, release, "Shift+Tab");
  // A slow device, on which React skips the renders between the form and its answer.
  const device = await page.context().newCDPSession(page);
  await device.send("Emulation.setCPUThrottlingRate", { rate: 10 });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("These were already handled");
  await expect(page.getByRole("alert")).toBeFocused();
  await device.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await expect(page.getByRole("region", { name: "Messages (F8)" })).not.toContainText("already handled");

  const others = await Promise.all([browser.newContext(), browser.newContext()]);
  for (const other of others) await signIn(await other.newPage(), product);
  await page.goto("/admin/sessions");
  const sessions = page.getByRole("list", { name: "Sessions" });
  await tabTo(page, sessions.getByRole("button").first());
  for (const left of [2, 1]) {
    await page.keyboard.press("Enter");
    await expect(sessions.getByRole("listitem")).toHaveCount(left);
    await expect(left > 1 ? sessions.getByRole("button") : sessions).toBeFocused();
  }
  for (const other of others) await other.close();
});

test("keys pressed while a page starts do not break it @js", async ({ page, product }) => {
  await signIn(page, product);
  await page.addInitScript(() => {
    const { port1, port2 } = new MessageChannel();
    const start = performance.now();
    port1.onmessage = () => {
      document.body?.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
      if (performance.now() < start + 2000) port2.postMessage(undefined);
    };
    port2.postMessage(undefined);
  });
  await page.goto("/admin/users");

  await expect(async () => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible({ timeout: 1000 });
  }).toPass();
});
