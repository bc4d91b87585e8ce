import type { BrowserContext, Locator, Page, Request } from "@playwright/test";
import { seconds } from "~/lib/durations";
import { readRows, submit } from "../server/visitors";
import {
  agedStamp,
  botPosts,
  expect,
  expectToBeTold,
  openLanding,
  openSignedIn,
  postForm,
  signIn,
  signUp,
  test,
  writeEmail,
} from "./product";
import { OTHER_SETTINGS } from "./shared-servers";

/** Everything that a page sends or fetches while it is open, with no answer of the server, or a foreign one (R39). */

const FOREIGN = {
  "a proxy's 502": { status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" },
  "an empty 500": { status: 500, body: "" },
  "a captive portal's 200": { status: 200, contentType: "text/html", body: "<h1>Log in to the Wi-Fi</h1>" },
} as const;

const WAYS = ["offline", ...(Object.keys(FOREIGN) as (keyof typeof FOREIGN)[])] as const;
type Way = (typeof WAYS)[number];

const DATA = /\.data(?:\?|$)/;

/** Takes the server away. @returns a function that brings it back. */
async function takeAway(context: BrowserContext, way: Way): Promise<() => Promise<void>> {
  if (way === "offline") {
    await context.setOffline(true);
    return () => context.setOffline(false);
  }
  await context.route(DATA, (route) => route.fulfill(FOREIGN[way]));
  return () => context.unroute(DATA);
}

const ERROR_PAGE = "Something went wrong.Kindly reload the page";

const NOT_UPDATED = /^Not updated since \d\d:\d\d\. Trying again\.$/;

/** Waits for the end of a form's request, not for that of a draft saved meanwhile. To be called before the form is sent. */
function untilFormEnded(page: Page): Promise<unknown> {
  const isForm = (request: Request) =>
    request.method() === "POST" &&
    DATA.test(request.url()) &&
    !request.postData()?.includes("intent=autosave");
  return Promise.race([
    page.waitForEvent("requestfinished", isForm),
    page.waitForEvent("requestfailed", isForm),
  ]);
}

interface SentForm {
  /** What was typed: label -> value. */
  typed: Record<string, string>;
  button: string;
  sentence: string;
}

/** Fills in a form, sends it without the server, and expects everything to be where it was. */
async function expectKept(place: Locator, { typed, button, sentence }: SentForm, way: Way): Promise<void> {
  const page = place.page();
  for (const [label, value] of Object.entries(typed)) {
    const field = place.getByLabel(label, { exact: true });
    if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  // The audience of a notification.
  for (const choice of await place.getByRole("radio").all()) await choice.check();
  const bringBack = await takeAway(page.context(), way);
  // The sentence may still be there from the form before this one.
  const ended = untilFormEnded(page);
  await place.getByRole("button", { name: button, exact: true }).click();
  await ended;
  await expect(place.getByText(sentence).first()).toBeVisible();
  await expect(page.getByText(ERROR_PAGE)).toHaveCount(0);
  for (const [label, value] of Object.entries(typed)) {
    await expect(place.getByLabel(label, { exact: true })).toHaveValue(value);
  }
  await expect(place.getByRole("button", { name: button, exact: true })).toBeEnabled();
  await bringBack();
}

const CONTACT = {
  typed: {
    "Full Name": "Ada",
    Email: "ada@example.com",
    "Inquiry Type": "support",
    Message: "Long and dear.",
  },
  button: "Send Message",
  sentence: "Something went wrong. Please try again or email us directly.",
};
const PASSWORDS = {
  "Current Password": "one two three",
  "New Password": "four five six seven",
  "Confirm New Password": "four five six seven",
};
const UNREACHED = "The server could not be reached. Nothing on this page was lost: please try again.";
const main = (page: Page) => page.getByRole("main");
const dialog = (page: Page) => page.getByRole("dialog");

// R39
test("visitors' forms stay as typed, with their own sentence @js", async ({ page }) => {
  await openLanding(page);
  for (const way of WAYS) await expectKept(page.locator("#contact"), CONTACT, way);

  const dialogs: [string, SentForm, Way][] = [
    [
      "/early-access",
      {
        typed: {
          "Full Name": "Ada",
          "Email Address": "ada@example.com",
          Company: "Engines",
          Role: "developer",
        },
        button: "Sign Up for Early Access",
        sentence: "Something went wrong. Please try again.",
      },
      "offline",
    ],
    [
      "/updates",
      {
        typed: { "Full Name": "Ada", Email: "ada@example.com" },
        button: "Sign Up for Updates",
        sentence: "Something went wrong. Please try again.",
      },
      "an empty 500",
    ],
  ];
  for (const [path, form, way] of dialogs) {
    await openLanding(page, path);
    await expectKept(dialog(page), form, way);
  }

  await page.goto("/login");
  const login = { Email: "ada@example.com", Password: "a secret" };
  await expectKept(
    main(page),
    { typed: login, button: "Login", sentence: "Login failed. Please try again." },
    "offline",
  );
});

// R39
test("operators' forms stay as typed, with their own sentence @js", async ({ page, product }) => {
  await signIn(page, product);
  const user = { "Email Address": "grace@example.com", "Full Name": "Grace" };
  const forms: [string, SentForm, Way][] = [
    [
      "/admin/password-reset",
      { typed: PASSWORDS, button: "Reset Password", sentence: "An error occurred. Please try again." },
      "offline",
    ],
    [
      "/admin/users",
      { typed: user, button: "Add New User", sentence: "Failed to add user. Please try again." },
      "a proxy's 502",
    ],
    [
      "/admin/dashboard",
      {
        typed: { ...user, "Email Title": "News", "Email Message": "Dear all" },
        button: "Add New User",
        sentence: "Failed to add user. Please try again.",
      },
      "offline",
    ],
    [
      "/admin/dashboard",
      {
        typed: { "Email Title": "News", "Email Message": "Dear all" },
        button: "Save Draft",
        sentence: UNREACHED,
      },
      "an empty 500",
    ],
    [
      "/admin/setup?step=test-email",
      { typed: {}, button: "Send a test email to me", sentence: UNREACHED },
      "offline",
    ],
    [
      "/admin/notifications",
      {
        typed: { "Notification Title": "News", Message: "Dear all" },
        button: "Send Notification",
        sentence: "Failed to send notification",
      },
      "a captive portal's 200",
    ],
    [
      "/admin/suppressions/add",
      { typed: { Addresses: "ada@example.com" }, button: "Add these addresses", sentence: UNREACHED },
      "offline",
    ],
    [
      "/admin/templates/new",
      {
        typed: { Name: "News", "Email Title": "What is new", "Email Message": "Dear all" },
        button: "Save template",
        sentence: "The template was not saved. What you typed is still here.",
      },
      "an empty 500",
    ],
    [
      "/admin/tokens",
      { typed: { Name: "A program" }, button: "Create Token", sentence: UNREACHED },
      "a proxy's 502",
    ],
    [
      "/admin/resouces-monitor",
      { typed: {}, button: "Refresh", sentence: "Failed to fetch resource data" },
      "an empty 500",
    ],
    [
      "/admin/second-factor",
      { typed: { "Current Password": "a secret" }, button: "Set up two-factor login", sentence: UNREACHED },
      "a captive portal's 200",
    ],
    [
      "/admin/alerts",
      { typed: { "New inquiries": "at-once" }, button: "Save alerts", sentence: UNREACHED },
      "offline",
    ],
    [
      "/admin/account",
      { typed: { "Time zone": "Europe/Berlin" }, button: "Save time zone", sentence: UNREACHED },
      "offline",
    ],
    [
      "/admin/account",
      {
        typed: { "New email address": "ada@example.com", "Current password": "a secret" },
        button: "Send the link",
        sentence: UNREACHED,
      },
      "an empty 500",
    ],
  ];
  for (const [path, form, way] of forms) {
    await test.step(`${path}: ${form.button}`, async () => {
      await page.goto(path);
      await expectKept(main(page), form, way);
    });
  }
});

// R39
test("a dialog stays open and says that nothing was sent @js", async ({ page, product }) => {
  await signUp(product, { name: "Ada", email: "ada@example.com" });
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "News", "Dear all");
  await panel.getByRole("button", { name: "Send Email", exact: true }).click();
  const confirm = { typed: {}, button: "Yes, Send Email", sentence: "Error sending Emails" };
  await expect(dialog(page)).toBeVisible();
  for (const way of WAYS) await expectKept(dialog(page), confirm, way);
  await dialog(page).getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page).toHaveURL(/send=/);

  await page.goto("/admin/submissions/early-access");
  await page.getByRole("link", { name: "Ada", exact: true }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const typed = { Name: "Ada Byron", Address: "ada@example.org", Company: "Engines", Reason: "By phone" };
  await expectKept(dialog(page), { typed, button: "Save correction", sentence: UNREACHED }, "offline");
  // The page without the dialog cannot be fetched: it stays, however often Escape is pressed.
  const bringBack = await takeAway(page.context(), "offline");
  for (let press = 0; press < 3; press += 1) await page.keyboard.press("Escape");
  await expect(page.getByText("The server could not be reached, so this page stays.")).toBeVisible();
  await expect(dialog(page).getByLabel("Name")).toHaveValue("Ada Byron");
  await expect(dialog(page)).toBeVisible();
  await bringBack();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);

  await page.goto("/admin/logs?step=delete");
  await expectKept(dialog(page), { typed: {}, button: "Delete", sentence: UNREACHED }, "a proxy's 502");
});

// R39
test("the Undo of a discarded draft stays until it got an answer @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "News", "Dear all");
  await panel.getByRole("button", { name: "Save Draft" }).click();
  await expectToBeTold(page, "Draft saved");
  for (const place of ["the dashboard", "the list of campaigns"]) {
    if (place !== "the dashboard") await page.goto("/admin/outreach");
    await main(page).getByRole("button", { name: "Discard" }).click();
    await expect(main(page).getByText("Draft discarded.")).toBeVisible();
    await expectKept(main(page), { typed: {}, button: "Undo", sentence: UNREACHED }, "offline");
    await expect(main(page).getByText(UNREACHED)).toHaveCount(1);
    await main(page).getByRole("button", { name: "Undo" }).click();
    await expectToBeTold(page, "Draft restored");
  }
});

// R39
test("a narrowed audience stays narrowed, and is counted once the server is back @js", async ({
  page,
  product,
}) => {
  for (const name of ["ada", "grace", "alan"]) {
    await signUp(product, { name, email: `${name}@example.com` });
  }
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "News", "Dear all");
  const line = panel.locator("summary").filter({ hasText: "Narrow down" });
  await line.click();
  await panel.getByLabel("At most", { exact: true }).fill("2");
  await expect(line).toContainText("2 people");
  await expect(page).toHaveURL((url) => url.searchParams.has("draft"));
  const draft = new URL(page.url()).searchParams.get("draft");
  for (const way of ["offline", "an empty 500"] as const) {
    const bringBack = await takeAway(page.context(), way);
    await panel.getByLabel("At most", { exact: true }).fill("1");
    // The sentence of the round before is still there.
    const ended = untilFormEnded(page);
    await panel.getByRole("button", { name: "Send Email", exact: true }).click();
    await ended;
    await expect(panel.getByText(UNREACHED)).toBeVisible();
    await expect(panel.getByLabel("At most", { exact: true })).toHaveValue("1");
    await expect(line).toContainText("Counting…");
    await bringBack();
    await expect(line).toContainText("1 person");
    await expect(page).toHaveURL((url) => url.searchParams.get("draft") === draft);
    await panel.getByLabel("At most", { exact: true }).fill("2");
    await expect(line).toContainText("2 people");
  }

  await panel.getByLabel("At most", { exact: true }).fill("none");
  await panel.getByRole("button", { name: "Send Email", exact: true }).click();
  await expect(panel.getByLabel("At most", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await panel.getByLabel("At most", { exact: true }).fill("1");
  await takeAway(page.context(), "offline");
  await panel.getByRole("button", { name: "Send Email", exact: true }).click();
  await expect(panel.getByText(UNREACHED)).toBeVisible();
  await expect(panel.getByLabel("At most", { exact: true })).toBeVisible();
  await expect(panel.getByLabel("At most", { exact: true })).toHaveValue("1");
  await expect(panel.getByLabel("Email Title")).toHaveValue("News");
});

// R39
test("a text saved again over another one is saved once the server is back @js", async ({
  page,
  product,
}) => {
  const path = "/admin/automatic/thank-you";
  await openSignedIn(page, product, path);
  const other = await page.context().newPage();
  await other.goto(path);
  await other.getByLabel("Subject").fill("Another one");
  await other.getByLabel("Message", { exact: true }).fill("Of a colleague.");
  await other.getByRole("button", { name: "Save", exact: true }).click();
  await expectToBeTold(other, "Saved. Emails sent from now on have this text.");
  await other.close();

  const save = main(page).getByRole("button", { name: "Save", exact: true });
  await page.getByLabel("Subject").fill("Mine");
  await page.getByLabel("Message", { exact: true }).fill("Of mine.");
  await save.click();
  await expect(page.getByText("Save again to replace it.")).toBeVisible();
  const bringBack = await takeAway(page.context(), "offline");
  await save.click();
  await expect(page.getByText(UNREACHED)).toBeVisible();
  await bringBack();
  await save.click();
  await expectToBeTold(page, "Saved. Emails sent from now on have this text.");
  await expect(page.getByLabel("Subject")).toHaveValue("Mine");
});

// R39
test("a file stays chosen, and a question about nothing typed says so @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/people/import");
  const buffer = Buffer.from("Email\nada@example.com");
  await main(page).getByLabel("CSV file").setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
  const sentence = "The server could not be reached. The file is still chosen: please try again.";
  await expectKept(main(page), { typed: {}, button: "Continue", sentence }, "offline");
  await main(page).getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("1 line, separated by comma.")).toBeVisible();

  await page.goto("/admin/views?list=%2Fadmin%2Fpeople&role=developer");
  await main(page).getByLabel("Name").fill("Developers");
  await main(page).getByRole("button", { name: "Save view" }).click();
  await expect(page).toHaveURL(/\/admin\/people/);
  await page.goto("/admin/views");
  await page.getByRole("link", { name: "Delete Developers" }).click();
  await expectKept(dialog(page), { typed: {}, button: "Delete", sentence: UNREACHED }, "a proxy's 502");
});

test.describe("in a time zone that nobody has chosen", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  // R39
  test("a form without a screen leaves the page as it is @js", async ({ page, context, product }) => {
    await signIn(page, product);
    const cases = [
      ["Dark", "offline", "The server could not be reached, so this page stays."],
      ["Dark", "a proxy's 502", "Nothing on this page was lost: please try again."],
      ["Use Asia/Tokyo", "a proxy's 502", "Nothing on this page was lost: please try again."],
      ["Logout", "an empty 500", "Nothing on this page was lost: please try again."],
    ] as const;
    for (const [button, way, sentence] of cases) {
      await page.goto("/admin/users?notice=user-removed");
      await page.getByLabel("Full Name").fill("Grace");
      const bringBack = await takeAway(context, way);
      await page.getByRole("button", { name: button }).first().click();
      await expect(page.getByText(sentence)).toBeVisible();
      await bringBack();
      await expect(page.getByRole("progressbar", { name: "Loading" })).toHaveCount(0);
      await expect(page.getByLabel("Full Name")).toHaveValue("Grace");
      // What was done before is not told again by the page that was loaded once more.
      if (way !== "offline") await expect(page).not.toHaveURL(/notice=/);
    }
  });
});

// R39
test("a link pressed offline keeps the page and says so @js", async ({ page, context, product }) => {
  await openSignedIn(page, product, "/admin/activity");
  await page.getByRole("link", { name: "User Management" }).first().click();
  await page.getByLabel("Full Name").fill("Grace");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Logs", exact: true }).first().click();
  await expect(page.getByText("The server could not be reached, so this page stays.")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/admin\/users$/);
  await expect(page.getByLabel("Full Name")).toHaveValue("Grace");
  await context.setOffline(false);
  await page.getByRole("link", { name: "Logs", exact: true }).first().click();
  await expect(page).toHaveURL(/\/admin\/logs/);
});

// R39
test("a key that opens the search or the shortcuts keeps the page offline @js", async ({
  page,
  context,
  product,
}) => {
  await signIn(page, product);
  for (const key of ["Control+k", "Shift+?"]) {
    await page.goto("/admin/users");
    await page.getByLabel("Full Name").fill("Grace");
    await page.getByLabel("Full Name").blur();
    await context.setOffline(true);
    await page.keyboard.press(key);
    await expect(page.getByText("The server could not be reached, so this page stays.")).toBeVisible();
    await context.setOffline(false);
    await page.keyboard.press(key);
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByLabel("Full Name")).toHaveValue("Grace");
  }
});

// R39
test("a list keeps its filter, its order and its question when a form gets no answer @js", async ({
  page,
  product,
}) => {
  const inquiry = { fullName: "Zoe", email: "zoe@example.com", stamp: agedStamp() };
  await submit(product, "/contact", inquiry);
  for (const name of ["Ada", "Lena"]) await signUp(product, { name, email: `${name}@example.com` });
  await botPosts(product, { name: "Bot", email: "bot@example.com" });
  const getId = (email: string) =>
    String(readRows(product, "select id from submissions where email_key = ?", email)[0]?.id);
  await signIn(page, product);
  await postForm(page, "/admin/submissions/early-access", { intent: "delete", id: getId("ada@example.com") });
  const template = { intent: "create", name: "News", title: "News", message: "Dear all", format: "text" };
  await postForm(page, "/admin/templates/new", template);
  const [{ id: templateId } = {}] = readRows(product, "select id from campaign_templates");
  await postForm(page, "/admin/templates", { intent: "delete", template: String(templateId) });

  const inquiries = "/admin/submissions/contact-form?q=zoe&status=open";
  const quarantine = "/admin/quarantine?form=early-access";
  const button = (name: string) => main(page).getByRole("button", { name, exact: true });
  const answer = (name: string) => dialog(page).getByRole("button", { name, exact: true });
  const forms: [string, Locator][] = [
    [inquiries, button("Mark as answered : Zoe")],
    [`${inquiries}&step=delete&id=${getId("zoe@example.com")}`, answer("Delete")],
    [`${inquiries}&step=delete&through=1`, answer("Delete")],
    ["/admin/submissions/early-access?q=lena&sort=name", button("Undo")],
    [quarantine, button("Release")],
    [`${quarantine}&step=purge&id=${getId("bot@example.com")}`, answer("Purge")],
    [`${quarantine}&step=release&through=${getId("bot@example.com")}`, answer("Release")],
    ["/admin/templates?sort=name", button("Undo")],
    ["/admin/tokens?sort=name", button("Create Token")],
    ["/admin/users?sort=name", button("Add New User")],
    ["/admin/users?sort=name", button("Invite")],
  ];
  for (const [path, pressed] of forms) {
    await test.step(path, async () => {
      await page.goto(path);
      if (path === quarantine) await main(page).getByRole("checkbox", { name: "Select all" }).check();
      const bringBack = await takeAway(page.context(), "offline");
      const ended = untilFormEnded(page);
      await pressed.click();
      await ended;
      await expect(pressed).toBeEnabled();
      await expect(
        page.getByText(/could not be reached|Failed to add user|invitation could not be created/).first(),
      ).toBeVisible();
      await expect(page).toHaveURL(path);
      await bringBack();
    });
  }
});

// R39
test("a filter beside an open row waits for the server @js", async ({ page, context, product }) => {
  await signUp(product, { name: "Lena Voigt", email: "lena@example.com" });
  await page.setViewportSize({ width: 1600, height: 900 });
  await openSignedIn(page, product, "/admin/people");
  await page.getByRole("row").getByRole("link", { name: "Lena Voigt" }).click();
  await expect(page.getByRole("heading", { name: "Lena Voigt" })).toBeVisible();
  const bringBack = await takeAway(context, "offline");
  await page.getByRole("searchbox").first().fill("lena");
  await page.keyboard.press("Enter");
  await expect(page.getByText(NOT_UPDATED)).toBeVisible();
  await bringBack();
  await expect(page).toHaveURL((url) => url.searchParams.get("q") === "lena");
});

// R39
test("a search waits for the server, with the page as it is @js", async ({ page, context, product }) => {
  await openSignedIn(page, product, "/admin/search");
  for (const way of WAYS) {
    const bringBack = await takeAway(context, way);
    await main(page).getByRole("searchbox").fill(way);
    await page.keyboard.press("Enter");
    await expect(page.getByText(NOT_UPDATED)).toBeVisible();
    await expect(main(page).getByRole("searchbox")).toHaveValue(way);
    await bringBack();
    // The address comes first: the field of the page before would be replaced while it is typed in.
    await expect(main(page).getByRole("searchbox")).toHaveAttribute("value", way);
    await expect(page).toHaveURL((url) => url.searchParams.get("q") === way);
    await expect(page.getByText(NOT_UPDATED)).toHaveCount(0);
  }
});

// R39
test("the search over a page waits for the server, and shows what was typed last @js", async ({
  page,
  context,
  product,
}) => {
  await openSignedIn(page, product, "/admin/activity");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  const field = palette.getByRole("combobox");
  for (const way of WAYS) {
    await field.fill("light");
    await expect(palette.getByRole("option")).toHaveText([/^Light theme/]);
    const bringBack = await takeAway(context, way);
    for (const typed of ["dar", "dark th"]) {
      await field.fill(typed);
      await expect(page.getByText(NOT_UPDATED)).toBeVisible();
    }
    await bringBack();
    await expect(palette.getByRole("option")).toHaveText([/^Dark theme/]);
    await expect(page.getByText(NOT_UPDATED)).toHaveCount(0);
  }
});

/** Expects a page that fetches by itself to say that it cannot, each way, and to go on. */
async function expectGoesOn(page: Page, everySeconds: number, sentence = NOT_UPDATED): Promise<void> {
  for (const way of WAYS) {
    const bringBack = await takeAway(page.context(), way);
    // Repeated, because the wait for the next fetch begins with the rendered page.
    await expect(async () => {
      await page.clock.runFor(seconds(everySeconds + 1));
      await expect(page.getByText(sentence)).toBeVisible({ timeout: 1000 });
    }).toPass();
    await expect(page.getByText(ERROR_PAGE)).toHaveCount(0);
    await bringBack();
    await expect(async () => {
      await page.clock.runFor(seconds(3));
      await expect(page.getByText(sentence)).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  }
}

// R39
test("the refresh of the resources goes on @js", async ({ page, product }) => {
  await page.clock.install();
  await openSignedIn(page, product, "/admin/resouces-monitor");
  await expectGoesOn(page, 30);
  await expect(page.getByText("Disk Usage").first()).toBeVisible();
});

// R39
test("the live view of the logs goes on @js", async ({ page, product }) => {
  await page.clock.install();
  await openSignedIn(page, product, "/admin/logs?live=on");
  await expectGoesOn(page, 2, /^The server could not be reached\. Retrying\.$/);
  await expect(page.getByText("Live: new lines appear automatically.")).toBeVisible();
});

test.describe("a campaign that waits", () => {
  test.use({ settings: OTHER_SETTINGS });

  // R39
  test("its progress goes on @js", async ({ page, product }) => {
    await signUp(product, { name: "Ada", email: "ada@example.com" });
    await signIn(page, product);
    await page.clock.install();
    await page.goto("/admin/dashboard");
    const panel = await writeEmail(page, "News", "Dear all");
    await panel.getByRole("button", { name: "Send Email", exact: true }).click();
    await dialog(page).getByRole("button", { name: "Yes, Send Email" }).click();
    await expect(page).toHaveURL(/send=/);
    await expectGoesOn(page, 30);
    await expect(
      panel
        .getByRole("button", { name: "Cancel campaign" })
        .or(panel.getByRole("link", { name: "Cancel campaign" })),
    ).toBeVisible();
  });
});

// R39
test("a refusal of the server is shown in its own words @js", async ({ page, product }) => {
  const refusal = (text: string) => main(page).getByText(text).first();
  await openSignedIn(page, product, "/admin/suppressions/add");
  await main(page).getByLabel("Addresses").fill("ada@example.com");
  const buffer = Buffer.alloc(2_200_000, "a");
  await main(page)
    .locator('input[type="file"]')
    .setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer });
  await main(page).getByRole("button", { name: "Add these addresses" }).click();
  await expect(refusal("the limit is 2 MB. Shorten it and send it again.")).toBeVisible();
  await expect(page.getByText(UNREACHED)).toHaveCount(0);
  await expect(main(page).getByLabel("Addresses")).toHaveValue("ada@example.com");

  // As from behind a proxy that the settings do not name.
  await page.goto("/admin/users");
  await page.route(DATA, async (route) => {
    const headers = { ...route.request().headers(), origin: "https://elsewhere.example" };
    await route.fulfill({ response: await route.fetch({ headers }) });
  });
  await main(page).getByLabel("Email Address").fill("grace@example.com");
  await main(page).getByLabel("Full Name").fill("Grace");
  await main(page).getByRole("button", { name: "Add New User" }).click();
  await expect(refusal("This came from another site, so nothing was changed.")).toBeVisible();
  await expect(main(page).getByLabel("Full Name")).toHaveValue("Grace");
});
