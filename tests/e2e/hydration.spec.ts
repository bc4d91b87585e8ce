import { chromium, type BrowserContext } from "@playwright/test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder";
import {
  expect,
  holdBack,
  openSignedIn,
  signIn,
  signUp,
  test,
  waitForHydration,
  writeEmail,
} from "./product";
import { fillIn, send, visitorForms } from "./visitor-forms";

const [, , contact] = visitorForms;

const SCRIPTS = /\/static\/assets\/.*\.js$/;

/** The pages with a form that a visitor fills in first, and one field of each. */
const FORMS = [
  { path: "/early-access", field: "#early-access-name" },
  { path: "/early-access", field: "#early-access-company" },
  { path: "/updates", field: "#updates-name" },
  { path: "/contact", field: "#contact-fullName" },
  { path: "/login", field: 'input[name="email"]' },
] as const;

for (const { path, field } of FORMS) {
  test(`typing and clicking in ${field} while ${path} starts loses nothing @js`, async ({ page }) => {
    const release = await holdBack(page, SCRIPTS);
    await page.goto(path, { waitUntil: "commit" });
    const input = page.locator(field);
    await input.pressSequentially("Ada ");
    release();
    let typed = "Ada ";
    const hydrated = waitForHydration(page).then(() => true);
    while (!(await Promise.race([hydrated, Promise.resolve(false)]))) {
      await page.keyboard.type("x");
      typed += "x";
      await input.click();
      await page.keyboard.press("End");
    }
    await page.keyboard.type("y");
    await expect(input).toHaveValue(`${typed}y`);
  });
}

for (const [name, value] of [
  ["refused", "ada@example"],
  ["thanked for", "ada@example.com"],
]) {
  test(`typing goes on while the page of a form that was ${name} starts @js`, async ({ page }) => {
    const fields = { ...contact.valid, Email: value ?? "" };
    await page.route("**/*.js", (route) => route.abort());
    await page.goto(contact.path);
    await fillIn(page, contact, fields);
    await page.unroute("**/*.js");
    const release = await holdBack(page, SCRIPTS);
    await send(page, contact);
    await expect(contact.place(page).getByRole(name === "refused" ? "alert" : "status")).toBeVisible();
    const message = contact.place(page).getByLabel("Message");
    await message.fill("And another thing");
    release();
    await waitForHydration(page);
    await page.keyboard.type("!");
    await expect(message).toHaveValue("And another thing!");
  });
}

test("what is chosen while a list starts filters and counts as later @js", async ({ page, product }) => {
  await signUp(product, { name: "Ada Lovelace", email: "ada@example.com", role: "developer" });
  await signUp(product, { name: "Grace Hopper", email: "grace@example.com", role: "manager" });
  await signIn(page, product);
  const main = page.getByRole("main");
  const open = async () => {
    const release = await holdBack(page, SCRIPTS);
    await page.goto("/admin/submissions/early-access", { waitUntil: "domcontentloaded" });
    return release;
  };

  let release = await open();
  await main.getByLabel("Role", { exact: true }).selectOption("Developer");
  release();
  await expect(page).toHaveURL(/choice=developer/);
  await expect(main.getByText("grace@example.com")).toHaveCount(0);
  await expect(main.getByLabel("Role", { exact: true })).toHaveValue("developer");
  await page.unroute(SCRIPTS);

  release = await open();
  await main.getByRole("checkbox", { name: "Select the submission of Ada Lovelace" }).check();
  release();
  await expect(main.getByRole("group", { name: "Selected" }).getByRole("status")).toContainText("1");
});

test("a message that is typed while the dashboard starts is saved @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin");
  const release = await holdBack(page, SCRIPTS);
  await page.goto("/admin/dashboard", { waitUntil: "domcontentloaded" });
  await page.getByLabel("Email Title").fill("We open on Monday");
  release();
  await expect(page).toHaveURL(/draft=/);
  await page.unroute(SCRIPTS);
  await page.reload();
  await expect(page.getByLabel("Email Title")).toHaveValue("We open on Monday");
});

test("a time that is set while a confirmation starts is what its button says @js", async ({
  page,
  product,
}) => {
  await signUp(product, { name: "Ada Lovelace", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "We open on Monday", "Dear {{name}}, hello.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
  await expect(dialog.getByRole("button", { name: "Yes, Send Email" })).toBeVisible();
  const release = await holdBack(page, SCRIPTS);
  await page.reload({ waitUntil: "domcontentloaded" });
  await dialog.getByText("Send later").click();
  await dialog.getByLabel("Send on").fill("2999-01-01T09:30");
  release();
  await expect(dialog.getByRole("button", { name: "Yes, Schedule" })).toBeVisible();
  await expect(dialog.getByLabel("Send on")).toHaveValue("2999-01-01T09:30");
});

test("a file that is chosen outlives a document that is rendered again @js", async ({ context, product }) => {
  // Not the fixture's page: there a failed hydration is a failure.
  const page = await context.newPage();
  await signIn(page, product);
  const release = await holdBack(page, SCRIPTS);
  await page.goto("/admin/people/import", { waitUntil: "domcontentloaded" });
  const file = page.getByLabel("CSV file");
  await file.setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from("Email\n") });
  const replaced = await file.elementHandle();
  await page.evaluate(() => document.documentElement.append(document.createElement("x-panel")));
  release();
  await waitForHydration(page);
  expect(await replaced?.evaluate((element) => element.isConnected), "React began again").toBe(false);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await file.evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe("list.csv");
});

/** What extensions do to a page before its scripts have run, as the content script of one. */
const EXTENSIONS = {
  "an element at the end of the document": `document.documentElement.append(document.createElement("x-panel"))`,
  "a style at the start of the head": `document.head.prepend(document.createElement("style"))`,
  "an icon beside each field": `for (const field of document.querySelectorAll("input")) field.after(document.createElement("x-icon"))`,
};

test.describe("what is typed outlives an extension that adds @push", () => {
  test.describe.configure({ mode: "default" });
  let folder: string;
  /** One browser with all of them, because its start takes longer than a test. */
  let context: BrowserContext;
  test.beforeAll(async ({ launchOptions }) => {
    folder = temporaryFolder();
    context = await launchWithExtensions(folder, Object.values(EXTENSIONS), launchOptions);
  });
  test.afterAll(async () => {
    await context.close();
    rmSync(folder, { recursive: true });
  });

  for (const [number, what] of Object.keys(EXTENSIONS).entries()) {
    test(what, async ({ product }) => {
      const page = await context.newPage();
      for (const { path, field } of FORMS) {
        const release = await holdBack(page, SCRIPTS);
        await page.goto(`${product.origin}${path}?extension=${number}`, { waitUntil: "domcontentloaded" });
        const input = page.locator(field);
        await input.fill("Ada Lace");
        const choice = page.locator("form", { has: input }).locator("select");
        if ((await choice.count()) > 0) await choice.selectOption({ index: 1 });
        await input.focus();
        for (let key = 0; key < 3; key++) await page.keyboard.press("ArrowLeft");
        const replaced = await input.elementHandle();
        release();
        await waitForHydration(page);
        expect(await replaced?.evaluate((element) => element.isConnected), "React began again").toBe(false);
        await page.keyboard.type("ove");
        await expect(input).toHaveValue(path === "/login" ? /Ada L/ : "Ada Loveace");
        await expect(input).toBeFocused();
        if ((await choice.count()) > 0) await expect(choice).not.toHaveValue("");
        await page.unroute(SCRIPTS);
      }
      await page.close();
    });
  }
});

/**
 * Starts a browser with an unpacked extension, which runs one of the scripts in each page once its document is parsed:
 * ?extension= has its index.
 */
function launchWithExtensions(
  folder: string,
  scripts: readonly string[],
  { executablePath, args = [] }: { executablePath?: string | undefined; args?: string[] | undefined },
): Promise<BrowserContext> {
  const extension = join(folder, "extension");
  mkdirSync(extension);
  const contentScript = { matches: ["<all_urls>"], js: ["content.js"], run_at: "document_end" };
  const manifest = { manifest_version: 3, name: "Adds", version: "1", content_scripts: [contentScript] };
  const cases = scripts.map((script, index) => `case "${index}": ${script}; break;`).join("\n");
  const content = `switch (new URLSearchParams(location.search).get("extension")) {\n${cases}\n}`;
  writeFileSync(join(extension, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(extension, "content.js"), content);
  return chromium.launchPersistentContext(join(folder, "profile"), {
    ...(executablePath === undefined ? {} : { executablePath }),
    // Playwright's own headless mode has no extensions.
    headless: false,
    args: [
      ...args,
      "--headless=new",
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      "--disable-features=DisableLoadExtensionCommandLineSwitch",
    ],
  });
}
