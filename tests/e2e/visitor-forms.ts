import type { Locator, Page } from "@playwright/test";
import { readRows } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import { ageForm, expect, openLanding } from "./product";

/** One of the landing page's forms, as a visitor sees it. */
export interface VisitorForm {
  path: "/early-access" | "/updates" | "/contact";
  /** Locates its fields and messages. */
  place: (page: Page) => Locator;
  /** Valid values by label; those of selects are option values. */
  valid: Record<string, string>;
  selects: readonly string[];
  button: string;
  busyButton: string;
  success: string;
  failure: string;
  /** The form's kind in the database. */
  kind: string;
}

const dialog = (page: Page) => page.getByRole("dialog");
const tryAgain = "Something went wrong. Please try again.";

export const visitorForms: readonly [earlyAccess: VisitorForm, updates: VisitorForm, contact: VisitorForm] = [
  {
    path: "/early-access",
    place: dialog,
    valid: {
      "Full Name": "Ada Byron",
      "Email Address": "ada@example.com",
      Company: "Analytical Engines",
      Role: "developer",
    },
    selects: ["Role"],
    button: "Sign Up for Early Access",
    busyButton: "Signing Up...",
    success: "Successfully registered! Thank you.",
    failure: tryAgain,
    kind: "early-access",
  },
  {
    path: "/updates",
    place: dialog,
    valid: { "Full Name": "Ada Byron", Email: "ada@example.com" },
    selects: [],
    button: "Sign Up for Updates",
    busyButton: "Signing Up...",
    success: "Thanks for signing up! You'll hear from us soon.",
    failure: tryAgain,
    kind: "updates-signup",
  },
  {
    path: "/contact",
    place: (page) => page.locator("#contact"),
    valid: {
      "Full Name": "Ada Byron",
      Email: "ada@example.com",
      "Inquiry Type": "partnership",
      Message: "Dear team,\n\nmay we build this together?",
    },
    selects: ["Inquiry Type"],
    button: "Send Message",
    busyButton: "Sending...",
    success: "Thank you for your message! We'll get back to you soon.",
    failure: "Something went wrong. Please try again or email us directly.",
    kind: "contact-form",
  },
];

export async function fillIn(page: Page, form: VisitorForm, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const control = form.place(page).getByLabel(label, { exact: true });
    if (form.selects.includes(label)) await control.selectOption(value);
    else await control.fill(value);
  }
}

/** Sends the form as old as a person's. It is aged now, because a page that hydrates puts the first stamp back. */
export async function send(page: Page, form: VisitorForm): Promise<void> {
  await ageForm(form.place(page));
  await form.place(page).getByRole("button", { name: form.button }).click();
}

/** Opens the form by its address, and waits for what it does when it hydrates: a dialog moves the focus. */
export async function open(page: Page, form: VisitorForm): Promise<void> {
  await openLanding(page, form.path);
}

/** Fills in and sends the opened form, and sees its success message. */
export async function submitForm(
  page: Page,
  form: VisitorForm,
  fields: Record<string, string> = form.valid,
): Promise<void> {
  await fillIn(page, form, fields);
  await send(page, form);
  await expect(form.place(page).getByRole("status")).toHaveText(form.success);
}

/** Sends the form without the browser's validation. */
export async function sendUnchecked(page: Page, form: VisitorForm): Promise<void> {
  await form
    .place(page)
    .locator("form")
    .evaluate((element) => ((element as HTMLFormElement).noValidate = true));
  await send(page, form);
}

export async function expectFields(
  page: Page,
  form: VisitorForm,
  fields: Record<string, string>,
): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await expect(form.place(page).getByLabel(label, { exact: true })).toHaveValue(value);
  }
}

/** Lists the accepted submissions in the product's database. */
export const listStoredSubmissions = (product: ServerProcess) =>
  readRows(product, "select * from submissions where state = 'accepted' order by id");

/** Sends as many forms as one network may in a minute. */
export async function sendTenForms(page: Page, product: ServerProcess): Promise<void> {
  const stamp = await page.locator('input[name="stamp"]').last().inputValue();
  for (let count = 1; count <= 10; count += 1) {
    const answer = await page.request.post(`${product.origin}/updates`, {
      form: { name: `Person ${count}`, email: `p${count}@example.com`, website: "", stamp },
      headers: { Origin: product.origin },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(303);
  }
}
