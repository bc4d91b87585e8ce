import type { Page } from "@playwright/test";
import { ageForm, expect, takeTheTimeAPersonTakes, test } from "./product";
import {
  expectFields,
  fillIn,
  open,
  send,
  sendTenForms,
  sendUnchecked,
  storedSubmissions,
  visitorForms,
} from "./visitor-forms";
import type { VisitorForm } from "./visitor-forms";

type Wrong = [label: string, typed: string, sentence: string];

const NO_NAME: Wrong = ["Full Name", " ", "Please enter your full name."];
const LONG_NAME: Wrong = ["Full Name", "a".repeat(201), "Please shorten your full name to 200 characters."];
const NO_ADDRESS = "Please enter your email address.";
const ADDRESS_RULE = "Please enter your email address like name@example.com.";
/** Every sentence a field can say, in as few tries as that takes; what is not named is honest. */
const WRONG: Record<VisitorForm["path"], Wrong[][]> = {
  "/early-access": [
    [NO_NAME, ["Email Address", "", NO_ADDRESS]],
    [
      LONG_NAME,
      ["Email Address", "ada at example", ADDRESS_RULE],
      ["Company", "c".repeat(201), "Please shorten your company's name to 200 characters."],
    ],
  ],
  "/updates": [
    [NO_NAME, ["Email", "", NO_ADDRESS]],
    [LONG_NAME, ["Email", "ada at example", ADDRESS_RULE]],
  ],
  "/contact": [
    [
      NO_NAME,
      ["Email", "", NO_ADDRESS],
      ["Inquiry Type", "", "Please choose what your message is about."],
      ["Message", " ", "Please enter your message."],
    ],
    [
      LONG_NAME,
      ["Email", "ada at example", ADDRESS_RULE],
      ["Message", "m".repeat(5001), "Please shorten your message to 5,000 characters."],
    ],
  ],
};

/** Lets longer texts in than the browser would. */
async function liftLengths(page: Page): Promise<void> {
  await page.locator("[maxlength]").evaluateAll((controls) => {
    for (const control of controls) control.removeAttribute("maxlength");
  });
}

const [, , contact] = visitorForms as [VisitorForm, VisitorForm, VisitorForm];

for (const form of visitorForms) {
  test(`the form at ${form.path} says at each field what is wrong, keeps what was typed, and is stored as typed once it is right`, async ({
    page,
    product,
    javaScriptEnabled,
  }) => {
    await page.goto(form.path);
    const alert = form.place(page).getByRole("alert");
    const wrongFields = form.place(page).locator("[aria-invalid=true]");
    for (const wrong of WRONG[form.path]) {
      const typed = { ...form.honest, ...Object.fromEntries(wrong) };
      await liftLengths(page);
      await fillIn(page, form, typed);
      await sendUnchecked(page, form);
      await expect(alert).toContainText("Nothing was sent yet.");
      await expect(wrongFields).toHaveCount(wrong.length);
      if (javaScriptEnabled) await expect(wrongFields.first()).toBeFocused();
      for (const [label, , sentence] of wrong) {
        const control = form.place(page).getByLabel(label, { exact: true });
        await expect(control).toHaveAccessibleDescription(new RegExp(sentence.replace(/[.?]/g, "\\$&")));
        await expect(control).toHaveAttribute("aria-invalid", "true");
      }
      await expectFields(page, form, typed);
      const last = alert.getByRole("link").last();
      const sentence = (await last.textContent()) ?? "";
      await last.click();
      const control = wrongFields.last();
      await expect(control).toHaveAccessibleDescription(new RegExp(sentence.replace(/[.?]/g, "\\$&")));
      await expect(control).toBeInViewport();
    }
    expect(storedSubmissions(product)).toEqual([]);

    // A refused form has a new stamp when a minute has just begun.
    await takeTheTimeAPersonTakes(page);
    await fillIn(page, form, form.honest);
    await send(page, form);
    await expect(form.place(page).getByRole("status")).toHaveText(form.success);
    expect(storedSubmissions(product)).toMatchObject([
      {
        kind: form.kind,
        name: "Ada Byron",
        email: "ada@example.com",
        company: form.honest.Company ?? "",
        role: form.honest.Role ?? "",
        inquiry_type: form.honest["Inquiry Type"] ?? "",
        message: form.honest.Message ?? "",
      },
    ]);
    if (javaScriptEnabled) return;
    // Without JavaScript the thanks stay until the visitor goes on.
    await page.reload();
    await expect(form.place(page).getByRole("status")).toHaveText(form.success);
    await page.goto("/");
    await expect(page.getByText(form.success)).toHaveCount(0);
    // Back leads over the thanks to the refused form, with what was typed, and sends nothing.
    await page.goBack();
    await page.goBack();
    await expect(alert).toContainText("Nothing was sent yet.");
    expect(storedSubmissions(product)).toHaveLength(1);
  });
}

/** Lets the form wait on its way until the answer is released. */
async function holdAnswers(page: Page, form: VisitorForm): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**${form.path}.data*`, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

for (const form of visitorForms.filter(({ path }) => path !== "/contact")) {
  test(`the dialog at ${form.path} is disabled on its way, closes two seconds after success, and is empty then @js`, async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto("/");
    await page.getByRole("main").getByRole("link", { name: form.button }).first().click();
    await ageForm(form.place(page));
    await fillIn(page, form, form.honest);
    const release = await holdAnswers(page, form);
    await page.clock.pauseAt(Date.now() + 60_000);
    await send(page, form);
    await expect(form.place(page).getByRole("button", { name: form.busyButton })).toBeDisabled();
    release();
    await expect(form.place(page).getByRole("status")).toHaveText(form.success);
    await expect(form.place(page).getByRole("link", { name: "Close" }).last()).toBeFocused();
    await page.clock.runFor(1999);
    await expect(form.place(page).getByRole("status")).toBeVisible();
    await page.clock.runFor(1);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page).toHaveURL(/\/$/);
    await page.clock.resume();
    await page.getByRole("main").getByRole("link", { name: form.button }).first().click();
    await expect(form.place(page).getByLabel("Full Name")).toHaveValue("");
    await expect(form.place(page).getByRole("status")).toHaveCount(0);
  });

  test(`the dialog at ${form.path} is left by its close link and opens by its button @no-js`, async ({
    page,
  }) => {
    await page.goto("/");
    await page.getByRole("main").getByRole("link", { name: form.button }).first().click();
    await expect(page).toHaveURL(new RegExp(`${form.path}$`));
    await form.place(page).getByRole("link", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test("both dialogs are opened, gone through and left by keyboard, or by their close link @js", async ({
  page,
}) => {
  await page.goto("/");
  for (const form of visitorForms.filter(({ path }) => path !== "/contact")) {
    const opener = page.getByRole("main").getByRole("link", { name: form.button }).first();
    await opener.focus();
    await page.keyboard.press("Enter");
    await expect(form.place(page).getByLabel("Full Name")).toBeFocused();
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press("Tab");
      const isBehind = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.closest("dialog"),
      );
      expect(isBehind).toBe(false);
    }
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(opener).toBeFocused();
    await opener.click();
    await form.place(page).getByRole("link", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

// Without JavaScript: tests/server/input.test.ts.
test("each form tells when too many come from one place, keeps everything, and the page can still be used @js", async ({
  page,
  product,
}) => {
  await page.goto("/");
  await sendTenForms(page, product);
  for (const form of visitorForms) {
    await open(page, form);
    await fillIn(page, form, form.honest);
    await send(page, form);
    const alert = form.place(page).getByRole("alert");
    await expect(alert).toContainText(form.failure);
    await expect(alert).toBeFocused();
    await expectFields(page, form, form.honest);
  }
  await expect(
    contact.place(page).getByRole("alert").getByRole("link", { name: "hello@example.com" }),
  ).toHaveAttribute("href", "mailto:hello@example.com");
  expect((await page.request.get("/")).status()).toBe(200);
});

test("the contact form is disabled on its way, empty after success, and hides its thanks after five seconds @js", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/");
  await ageForm(contact.place(page));
  await fillIn(page, contact, contact.honest);
  const release = await holdAnswers(page, contact);
  await page.clock.pauseAt(Date.now() + 60_000);
  await send(page, contact);
  await expect(contact.place(page).getByRole("button", { name: contact.busyButton })).toBeDisabled();
  release();
  const thanks = contact.place(page).getByRole("status");
  await expect(thanks).toHaveText(contact.success);
  await expect(thanks).toBeInViewport();
  const empty = Object.fromEntries(Object.keys(contact.honest).map((label) => [label, ""]));
  await expectFields(page, contact, empty);
  await page.clock.runFor(4999);
  await expect(thanks).toBeVisible();
  // What is typed meanwhile stays.
  await fillIn(page, contact, { Message: "And another thing" });
  await page.clock.runFor(1);
  await expect(thanks).toHaveCount(0);
  await expectFields(page, contact, { ...empty, Message: "And another thing" });
});

test("what is typed in the contact form outlives both dialogs, and opening them asks the server for nothing @js", async ({
  page,
}) => {
  await page.goto("/");
  await fillIn(page, contact, contact.honest);
  const asked: string[] = [];
  page.on("request", (request) => {
    // The browser looks at the icon whenever the title changes.
    if (!request.url().includes("favicon")) asked.push(request.url());
  });
  for (const name of ["Sign Up for Updates", "Sign Up for Early Access"]) {
    await page.getByRole("main").getByRole("link", { name }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await expectFields(page, contact, contact.honest);
  expect(asked).toEqual([]);
});

test("the contact form's address shows the page at the contact form @no-js", async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/contact");
    await expect(
      page.getByRole("heading", { name: "Have questions, feedback, or partnership ideas?" }),
    ).toBeInViewport();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});
