import { submit } from "../server/visitors";
import { expectNothingFound, ONE_THEME } from "./axe";
import { agedStamp, expect, expectToBeTold, openSignedIn, test } from "./product";

const MESSAGE = "May we build this together?";

test("an inquiry is counted, replied to, marked as answered and opened again", async ({
  page,
  product,
  javaScriptEnabled,
}) => {
  for (const [fullName, email] of [
    ["Ada Byron", "ada@example.com"],
    ["Grace Hopper", "grace@example.com"],
  ] as const) {
    await submit(product, "/contact", { fullName, email, message: MESSAGE, stamp: agedStamp() });
  }
  await openSignedIn(page, product, "/admin/activity");
  await page.getByRole("link", { name: "Inquiries 2 waiting" }).first().click();
  await expect(page).toHaveURL(/contact-form\?status=open/);
  const ada = page.getByRole("row").filter({ hasText: "ada@example.com" });
  await expect(ada.getByRole("link", { name: "Reply : Ada Byron" })).toHaveAttribute(
    "href",
    /^mailto:ada@example\.com\?subject=Re%3A%20Your%20inquiry%20to%20[^&]+&body=.*May%20we%20build/,
  );
  await expectNothingFound(page, "the open inquiries");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "the open inquiries on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });

  await ada.getByRole("button", { name: "Mark as answered : Ada Byron" }).click();
  await expectToBeTold(page, "Marked as answered.");
  if (javaScriptEnabled) await expect(page.getByRole("main")).not.toContainText("Marked as answered.");
  await expect(ada).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Inquiries 1 waiting" }).first()).toBeVisible();
  await page.getByRole("checkbox", { name: "Select the submission of Grace Hopper" }).check();
  await page.getByRole("button", { name: "Mark as answered", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No open inquiries" })).toBeVisible();

  await page.getByRole("link", { name: "Show all inquiries" }).click();
  await expect(ada).toContainText(/Answered.*by superadmin@example\.com/);
  await page.getByRole("link", { name: "Ada Byron", exact: true }).click();
  const sent = page.getByRole("region", { name: "Timeline" });
  await expect(sent).toContainText("by superadmin@example.com");
  await expectNothingFound(page, "an answered inquiry on a person's page");
  await sent.getByRole("button", { name: "Open again : Ada Byron" }).click();
  await expectToBeTold(page, "Opened again.");
  await expect(sent.getByRole("button", { name: "Mark as answered : Ada Byron" })).toBeVisible();
});

test("the inquiries selected stay selected while another one is marked", async ({ page, product }) => {
  for (const fullName of ["Ada", "Grace", "Alan"]) {
    const email = `${fullName.toLowerCase()}@example.com`;
    await submit(product, "/contact", { fullName, email, message: MESSAGE, stamp: agedStamp() });
  }
  await openSignedIn(page, product, "/admin/submissions/contact-form?status=open");
  const getBox = (name: string) =>
    page.getByRole("checkbox", { name: `Select the submission of ${name}`, exact: true });
  for (const name of ["Grace", "Alan"]) await getBox(name).check();
  await page.getByRole("button", { name: "Mark as answered : Ada" }).click();
  await expectToBeTold(page, "Marked as answered.");
  await expect(getBox("Ada")).toHaveCount(0);
  for (const name of ["Grace", "Alan"]) await expect(getBox(name)).toBeChecked();
  // One that is selected itself leaves the selection with the list.
  await page.getByRole("button", { name: "Mark as answered : Grace" }).click();
  await expect(getBox("Grace")).toHaveCount(0);
  await expect(getBox("Alan")).toBeChecked();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Delete 1 submission?" });
  await expect(question).toContainText("alan@example.com");
});

test("an inquiry is found by a word of its text, together with a filter", async ({ page, product }) => {
  for (const [fullName, email, message] of [
    ["Ada Byron", "ada@example.com", "Where are our recordings kept?"],
    ["Grace Hopper", "grace@example.com", "Please send an invoice for the recordings."],
  ] as const) {
    await submit(product, "/contact", { fullName, email, message, stamp: agedStamp() });
  }
  await openSignedIn(page, product, "/admin/submissions/contact-form?status=open");
  const search = page.getByRole("searchbox", { name: "Name, email or text" });
  const rows = page.getByRole("row").filter({ hasText: "@example.com" });
  await search.fill("record");
  await search.press("Enter");
  await expect(page).toHaveURL(/q=record/);
  await expect(rows).toHaveCount(2);
  await search.fill("record invoice grace");
  await search.press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Grace Hopper");
  await expectNothingFound(page, "a search of inquiries");
  await search.fill("nobody wrote this");
  await search.press("Enter");
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await expect(
    page.getByText(
      "The search finds the start of words of the name, email or text, and any part of an email",
    ),
  ).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(rows).toHaveCount(2);
});

test("the address of an inquiry is copied @js", async ({ page, context, product }) => {
  await submit(product, "/contact", { fullName: "Eve", email: "eve@example.com", stamp: agedStamp() });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openSignedIn(page, product, "/admin/submissions/contact-form");
  await page.getByRole("button", { name: "Copy address : Eve" }).click();
  await expect(page.getByRole("button", { name: "Copied : Eve" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("eve@example.com");
});

// R39
test("an inquiry that could not be marked stays open, and the selection stays @js", async ({
  page,
  context,
  product,
}) => {
  await submit(product, "/contact", { fullName: "Zoe", email: "zoe@example.com", stamp: agedStamp() });
  await openSignedIn(page, product, "/admin/submissions/contact-form?status=open&q=zoe");
  const box = page.getByRole("checkbox", { name: "Select the submission of Zoe" });
  await box.check();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Mark as answered : Zoe" }).click();
  await expectToBeTold(page, "The server could not be reached. Nothing on this page was lost");
  await expect(box).toBeChecked();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Mark as answered : Zoe" }).click();
  await expectToBeTold(page, "Marked as answered.");
});
