import { expectNothingFound } from "./axe";
import { expect, holdBack, openLanding, showInterest, test } from "./product";
import {
  expectFields,
  fillIn,
  open,
  send,
  sendTenForms,
  sendUnchecked,
  submitForm,
  listStoredSubmissions,
  visitorForms,
  type VisitorForm,
} from "./visitor-forms";

type Wrong = [label: string, typed: string, sentence: string];

const NO_NAME: Wrong = ["Full Name", " ", "Please enter your full name."];
const ADDRESS_RULE = "Please enter your email address like name@example.com.";
/** Some invalid values; tests/server/input.test.ts has every rule. */
const WRONG: Record<VisitorForm["path"], Wrong[]> = {
  "/early-access": [NO_NAME, ["Email Address", "ada at example", ADDRESS_RULE]],
  "/updates": [NO_NAME, ["Email", "ada at example", ADDRESS_RULE]],
  "/contact": [
    NO_NAME,
    ["Inquiry Type", "", "Please choose what your message is about."],
    ["Message", " ", "Please enter your message."],
  ],
};

const [, , contact] = visitorForms;

for (const form of visitorForms) {
  test(`the form at ${form.path} shows errors at its fields`, async ({
    page,
    product,
    javaScriptEnabled,
  }) => {
    await open(page, form);
    const alert = form.place(page).getByRole("alert");
    const wrongFields = form.place(page).locator("[aria-invalid=true]");
    const wrong = WRONG[form.path];
    const typed = { ...form.valid, ...Object.fromEntries(wrong) };
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
    const changed = form.path === "/contact" ? { within: ["#contact"] } : {};
    await expectNothingFound(page, `${form.path} with errors`, changed);
    const last = alert.getByRole("link").last();
    const sentence = (await last.textContent()) ?? "";
    await last.click();
    const control = wrongFields.last();
    await expect(control).toHaveAccessibleDescription(new RegExp(sentence.replace(/[.?]/g, "\\$&")));
    await expect(control).toBeInViewport();
    expect(listStoredSubmissions(product)).toEqual([]);

    await submitForm(page, form);
    expect(listStoredSubmissions(product)).toMatchObject([
      {
        kind: form.kind,
        name: "Ada Byron",
        email: "ada@example.com",
        company: form.valid.Company ?? "",
        role: form.valid.Role ?? "",
        inquiry_type: form.valid["Inquiry Type"] ?? "",
        message: form.valid.Message ?? "",
      },
    ]);
    if (javaScriptEnabled) return;
    // Without JavaScript the success message stays.
    await page.reload();
    await expect(form.place(page).getByRole("status")).toHaveText(form.success);
    await openLanding(page);
    await expect(page.getByText(form.success)).toHaveCount(0);
    // Going back twice shows the refused form as typed, and sends nothing.
    await page.goBack();
    await page.goBack();
    await expect(alert).toContainText("Nothing was sent yet.");
    expect(listStoredSubmissions(product)).toHaveLength(1);
  });
}

for (const form of visitorForms.filter(({ path }) => path !== "/contact")) {
  test(`the dialog at ${form.path} closes after success and is empty @js`, async ({ page }) => {
    await page.clock.install();
    await openLanding(page);
    await page.getByRole("main").getByRole("link", { name: form.button }).first().click();
    await fillIn(page, form, form.valid);
    const release = await holdBack(page, `**${form.path}.data*`);
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

  test(`the dialog at ${form.path} opens by its button and closes by its link @no-js`, async ({ page }) => {
    await openLanding(page);
    await page.getByRole("main").getByRole("link", { name: form.button }).first().click();
    await expect(page).toHaveURL(new RegExp(`${form.path}$`));
    await form.place(page).getByRole("link", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test("both dialogs can be opened, used and closed by keyboard, or by their link @js", async ({ page }) => {
  await openLanding(page);
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

test("a dialog closes by a press beside it, not by one on its padding @js", async ({ page }) => {
  await openLanding(page);
  const [form] = visitorForms;
  await page.getByRole("main").getByRole("link", { name: form.button }).first().click();
  await fillIn(page, form, form.valid);
  await form.place(page).click({ position: { x: 8, y: 100 } });
  await fillIn(page, form, { Company: "Engines" });
  await expectFields(page, form, { ...form.valid, Company: "Engines" });
  await page.mouse.click(8, 8);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

// Without JavaScript: tests/server/input.test.ts.
test("a rate-limited form says so, keeps what was typed and can be used @js", async ({ page, product }) => {
  await openLanding(page);
  await sendTenForms(page, product);
  for (const form of visitorForms) {
    await open(page, form);
    await fillIn(page, form, form.valid);
    await send(page, form);
    const alert = form.place(page).getByRole("alert");
    await expect(alert).toContainText(form.failure);
    await expect(alert).toBeFocused();
    await expectFields(page, form, form.valid);
  }
  await expect(
    contact.place(page).getByRole("alert").getByRole("link", { name: "hello@example.com" }),
  ).toHaveAttribute("href", "mailto:hello@example.com");
  expect((await page.request.get("/")).status()).toBe(200);
});

test("the contact form is empty after success @js", async ({ page }) => {
  await page.clock.install();
  await openLanding(page);
  await fillIn(page, contact, contact.valid);
  const release = await holdBack(page, `**${contact.path}.data*`);
  await page.clock.pauseAt(Date.now() + 60_000);
  await send(page, contact);
  await expect(contact.place(page).getByRole("button", { name: contact.busyButton })).toBeDisabled();
  release();
  const thanks = contact.place(page).getByRole("status");
  await expect(thanks).toHaveText(contact.success);
  await expect(thanks).toBeInViewport();
  const empty = Object.fromEntries(Object.keys(contact.valid).map((label) => [label, ""]));
  await expectFields(page, contact, empty);
  await page.clock.runFor(4999);
  await expect(thanks).toBeVisible();
  // Text typed meanwhile stays.
  await fillIn(page, contact, { Message: "And another thing" });
  await page.clock.runFor(1);
  await expect(thanks).toHaveCount(0);
  await expectFields(page, contact, { ...empty, Message: "And another thing" });
});

test("the contact form that was refused before its scripts came is empty after success @js", async ({
  page,
}) => {
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(contact.path);
  await fillIn(page, contact, { ...contact.valid, "Full Name": " " });
  await page.unroute("**/*.js");
  await send(page, contact);
  await expect(contact.place(page).getByRole("alert")).toBeVisible();
  await showInterest(page);
  await fillIn(page, contact, contact.valid);
  await send(page, contact);
  await expect(contact.place(page).getByRole("status")).toHaveText(contact.success);
  await expectFields(
    page,
    contact,
    Object.fromEntries(Object.keys(contact.valid).map((label) => [label, ""])),
  );
});

test("the contact form keeps its text as dialogs come and go, requesting nothing @js", async ({ page }) => {
  // The links of the dialogs have no query.
  await openLanding(page, "/?utm_source=newsletter");
  await fillIn(page, contact, contact.valid);
  const requests: string[] = [];
  page.on("request", (request) => {
    // The browser requests the icon whenever the title changes.
    if (!request.url().includes("favicon")) requests.push(request.url());
  });
  for (const name of ["Sign Up for Updates", "Sign Up for Early Access"]) {
    await page.getByRole("main").getByRole("link", { name }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await expectFields(page, contact, contact.valid);
  expect(requests).toEqual([]);
});

for (const when of ["after", "before"]) {
  test(`the contact form that was refused ${when} its scripts came keeps all as links are followed @js`, async ({
    page,
  }) => {
    // Browsers take it for an address.
    const typed = { ...contact.valid, Email: "ada@example" };
    if (when === "before") await page.route("**/*.js", (route) => route.abort());
    await page.goto(contact.path);
    if (when === "after") await showInterest(page);
    await fillIn(page, contact, typed);
    await page.unroute("**/*.js");
    await send(page, contact);
    const alert = contact.place(page).getByRole("alert");
    await expect(alert).toContainText(ADDRESS_RULE);
    if (when === "before") await showInterest(page);
    await page.getByRole("navigation").getByRole("link", { name: "FAQs" }).first().click();
    await expect(page).toHaveURL(/#faqs$/);
    await page.getByRole("main").getByRole("link", { name: "Sign Up for Updates" }).first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(alert).toContainText(ADDRESS_RULE);
    await expectFields(page, contact, typed);
    await submitForm(page, contact);
  });
}

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
