import {
  test as base,
  expect,
  type APIResponse,
  type Locator,
  type Page,
  type Response,
} from "@playwright/test";
import { minutes } from "~/lib/durations";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import type { RunningSmtpServer } from "../fakes/smtp-server";
import { freshStamp, SIGNED_UP, submit } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import { FORM_SECRET, SharedServers, startProduct, type RunningProduct } from "./shared-servers";

interface Fixtures {
  /** Further settings of the product; test.use({ settings: { DOUBLE_OPT_IN: "on" } }). */
  settings: Record<string, string>;
  /** Settings that contain addresses of this test alone: its product is started for it. */
  ownSettings: Record<string, string>;
  running: RunningProduct;
  /** Accepts everything until the test calls `setAnswer`. */
  smtp: RunningSmtpServer;
  /** The built product in its first state, sending to `smtp`, with a temporary superadmin password. */
  product: ServerProcess;
}

const EXPECTED =
  /^(?:AbortError: (?:signal is|BodyStreamBuffer was) aborted|Failed to load resource|Blocked script execution in .* sandboxed)/;

export const test = base.extend<Fixtures, { sharedServers: SharedServers }>({
  sharedServers: [
    async ({}, use) => {
      const keptServers = new SharedServers();
      await use(keptServers);
      await keptServers.remove();
    },
    { scope: "worker" },
  ],
  settings: [{}, { option: true }],
  ownSettings: [{}, { option: true }],
  running: async ({ sharedServers: keptServers, settings, ownSettings }, use) => {
    if (Object.keys(ownSettings).length > 0) {
      const running = await startProduct({ ...settings, ...ownSettings });
      await use(running);
      await running.remove();
    } else {
      const running = await keptServers.get(settings);
      await use(running);
      await keptServers.reset(settings);
      chosen.delete(running.product);
    }
  },
  smtp: ({ running }, use) => use(running.smtp),
  product: ({ running }, use) => use(running.product),
  baseURL: async ({ product }, use) => use(product.origin),
  context: async ({ context, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) context.on("page", goOnHydrated);
    await use(context);
  },
  page: async ({ page }, use) => {
    // A violated policy, a failed hydration or an error of ours is reported here (C16).
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !EXPECTED.test(message.text())) errors.push(message.text());
    });
    await use(page);
    expect(errors).toEqual([]);
  },
});

export { expect };

/**
 * Makes the page's `goto` and `reload` wait until a screen is hydrated, as a person does: keys do nothing before. Not where
 * the journey goes on before the document is loaded.
 */
function goOnHydrated(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    await waitForScreen(page, options?.waitUntil);
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    await waitForScreen(page, options?.waitUntil);
    return answer;
  };
}

/** Waits for the scripts of a loaded screen. A landing page's wait for an interest in it. */
async function waitForScreen(page: Page, loaded = "load"): Promise<void> {
  if (loaded === "commit" || loaded === "domcontentloaded") return;
  if (/^\/(?:admin|login)\b/.test(new URL(page.url()).pathname)) await waitForHydration(page);
}

/** Opens a cached landing page and shows interest in it. */
export async function openLanding(page: Page, path = "/"): Promise<Response | null> {
  const answer = await page.goto(path);
  await showInterest(page);
  return answer;
}

/** Moves the mouse over a cached landing page, and waits for its scripts where they run. */
export async function showInterest(page: Page): Promise<void> {
  if (test.info().project.use.javaScriptEnabled === false) return;
  await page.mouse.move(1, 1);
  await page.mouse.move(2, 2);
  await waitForHydration(page);
}

/** The superadmin's password, once they have chosen one. */
export const OWN_PASSWORD = "a new password of my own";

/** The temporary password as the operator reads it on the terminal. */
function printedPassword(product: ServerProcess): string {
  const password = /Password: (\S+)/.exec(product.output())?.[1];
  if (!password) throw new Error("No password was printed");
  return password;
}

/** The stamp of a form that was rendered a minute ago. */
export const agedStamp = () => createFormStamps(FORM_SECRET).create(Date.now() - minutes(1));

/** Makes the form as old as a person's without waiting: one sent within two seconds counts as a bot's. */
export async function ageForm(place: Locator): Promise<void> {
  await place
    .locator('input[name="stamp"]')
    .evaluate((field, stamp) => ((field as HTMLInputElement).value = stamp), agedStamp());
}

interface Visitor {
  name: string;
  email: string;
  company?: string;
  role?: string;
}

/** Signs up without the pages, for journeys about what follows. */
export async function signUp(product: ServerProcess, visitor: Visitor): Promise<void> {
  const answer = await submit(product, "/early-access", { ...visitor, stamp: agedStamp() });
  expect(answer.headers.get("Location")).toBe(SIGNED_UP);
}

/** Signs up as a program without a browser does. */
export async function botPosts(product: ServerProcess, bot: Visitor): Promise<void> {
  const stamp = await freshStamp(product);
  const answer = await submit(product, "/early-access", { ...bot, website: "https://spam.example", stamp });
  expect(answer.status).toBe(303);
}

/** Delays the page's requests for a URL until the returned function is called. */
export async function holdBack(page: Page, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Posts a form with the session of the page's browser, without its screen, and expects it to be accepted. */
export async function postForm(page: Page, url: string, form: Record<string, string>): Promise<APIResponse> {
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const answer = await page.request.post(url, { form, headers, maxRedirects: 0 });
  expect(answer.status(), url).toBeLessThan(400);
  return answer;
}

/** Products whose superadmin has chosen OWN_PASSWORD. */
const chosen = new WeakSet<ServerProcess>();

/** Logs the page's browser in as superadmin, without pages. The first login of a product chooses a password too. */
export async function signIn(page: Page, product: ServerProcess): Promise<void> {
  const current = chosen.has(product) ? OWN_PASSWORD : printedPassword(product);
  await postForm(page, `${product.origin}/login`, { email: "superadmin@example.com", password: current });
  if (chosen.has(product)) return;
  await postForm(page, `${product.origin}/admin/password-reset`, {
    currentPassword: current,
    newPassword: OWN_PASSWORD,
    confirmPassword: OWN_PASSWORD,
  });
  chosen.add(product);
}

/** Opens a page as the superadmin, who is logged in without pages. */
export async function openSignedIn(page: Page, product: ServerProcess, path: string): Promise<void> {
  await signIn(page, product);
  await page.goto(path);
}

/** Applies a list's filter after a choice in it, which with JavaScript has applied it already. */
export async function applyFilter(page: Page): Promise<void> {
  const apply = page.getByRole("button", { name: "Apply" });
  if (test.info().project.use.javaScriptEnabled === false) await apply.click();
  else await expect(apply).toBeHidden();
}

/** Expects a message in the page or in a toast, which a live region repeats for a moment. */
export async function expectToBeTold(page: Page, sentence: string): Promise<void> {
  // A toast is gone after two seconds: an expectation looks once a second.
  await page.getByText(sentence).first().waitFor();
}

/** Submits the login form of the open page. */
export async function submitLogin(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Submits the password form of the open page. */
export async function submitPassword(
  page: Page,
  current: string,
  next: string,
  confirm = next,
): Promise<void> {
  await page.getByLabel("Current Password").fill(current);
  await page.getByLabel("New Password", { exact: true }).fill(next);
  await page.getByLabel("Confirm New Password").fill(confirm);
  await page.getByRole("button", { name: "Reset Password" }).click();
}

/** Writes an email in the panel of the open dashboard. @returns the panel. */
export async function writeEmail(page: Page, title: string, message: string): Promise<Locator> {
  const panel = page.locator("#outreach");
  await panel.getByLabel("Email Title").fill(title);
  await panel.getByLabel("Email Message").fill(message);
  return panel;
}

/** Logs in with the printed password and chooses OWN_PASSWORD, as the first operator must. */
export async function logInForTheFirstTime(page: Page, product: ServerProcess): Promise<void> {
  const temporary = printedPassword(product);
  await page.goto("/admin/dashboard");
  await expect(page).toHaveURL(/\/login\?redirectTo=/);
  await submitLogin(page, "superadmin@example.com", temporary);
  await expect(page.getByText("Login successful!")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/password-reset/);
  await submitPassword(page, temporary, OWN_PASSWORD);
  await expectToBeTold(page, "Password reset successfully. Welcome to the back office.");
  await expect(page).toHaveURL(/\/admin\/dashboard/);
}

/** Waits until React answers, to keys too: a click on a link does not load a document any more. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
}

/** Presses two keys, one right after the other however busy the machine is: a sequence of keys must not time out. */
export async function pressInTurn(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}
