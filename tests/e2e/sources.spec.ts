import type { Page } from "@playwright/test";
import { readRows } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import { expectNothingFound } from "./axe";
import { expect, openLanding, openSignedIn, test } from "./product";
import { OTHER_SETTINGS } from "./shared-servers";
import { fillIn, open, send, submitForm, visitorForms } from "./visitor-forms";

const [earlyAccess] = visitorForms;

const getSignup = (product: ServerProcess) =>
  readRows(product, "select source, heard_from from submissions")[0];

/** Follows the page's own link to the form, and sends it. */
async function signUpFromPage(page: Page): Promise<void> {
  await page.getByRole("link", { name: earlyAccess.button }).first().click();
  await submitForm(page, earlyAccess);
}

test("the first page of the visit is the signup's source, without a cookie @js", async ({
  page,
  product,
}) => {
  await openLanding(page, "/?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring%20Launch");
  // A later link does not replace it.
  await openLanding(page, "/?utm_source=later");
  const stored = await page.evaluate(() => Object.entries(sessionStorage).flat().join(""));
  expect(Buffer.byteLength(stored)).toBeLessThan(1024);
  await signUpFromPage(page);
  expect(getSignup(product)?.source).toBe("newsletter / email / spring launch");
  expect(await page.context().cookies()).toEqual([]);
});

test("a visitor who goes on to a form at once keeps their source @js", async ({ page, product }) => {
  await page.goto("/?via=Ada");
  // Before the page's scripts have loaded.
  await page.evaluate(() => location.assign("/early-access"));
  await expect(page.getByRole("dialog").locator("input[name=source]")).toHaveValue("via Ada");
  await submitForm(page, earlyAccess);
  expect(getSignup(product)?.source).toBe("via ada");
});

test("whatever the storage holds, the form is sent @js", async ({ page, product }) => {
  await page.addInitScript(() =>
    sessionStorage.setItem("first-touch", `?utm_source=%FF${"\0\n".repeat(500)}`),
  );
  await open(page, earlyAccess);
  await expect(page.getByRole("dialog").locator("input[name=source]")).not.toHaveValue("");
  await submitForm(page, earlyAccess);
  expect(getSignup(product)?.source).toBe("unknown");
});

test("where the storage is forbidden, the source is unknown @js", async ({ page, product }) => {
  await page.addInitScript(() => {
    const getItem = Storage.prototype.getItem;
    Storage.prototype.getItem = function (key) {
      if (key === "first-touch") throw new DOMException("forbidden", "SecurityError");
      return getItem.call(this, key);
    };
  });
  await open(page, earlyAccess);
  await submitForm(page, earlyAccess);
  expect(getSignup(product)?.source).toBe("unknown");
});

test("without JavaScript the source is unknown, and the form is sent @no-js", async ({ page, product }) => {
  await page.goto("/?utm_source=newsletter");
  await signUpFromPage(page);
  expect(getSignup(product)?.source).toBe("unknown");
});

test("operators see and filter by source @js", async ({ page, product }) => {
  await open(page, earlyAccess);
  await submitForm(page, earlyAccess);
  const source = String(getSignup(product)?.source);
  await openSignedIn(page, product, "/admin/dashboard");
  await page.getByRole("link", { name: "By source" }).click();
  await expect(page.getByRole("heading", { name: "Sources", level: 1 })).toBeVisible();
  await expectNothingFound(page, "Sources");
  await page
    .getByRole("list", { name: /signups by source/ })
    .getByRole("link", { name: source })
    .click();
  await expect(page).toHaveURL(new RegExp(`/admin/submissions/early-access\\?source=${source}`));
  await expect(page.getByRole("row", { name: /Ada Byron/ })).toContainText(source);
});

test.describe("with HEARD_FROM=on", () => {
  test.use({ settings: OTHER_SETTINGS });

  test("the early access form asks how somebody heard of it @no-js", async ({ page, product }) => {
    await open(page, earlyAccess);
    await fillIn(page, earlyAccess, earlyAccess.valid);
    const heardFrom = page.getByLabel("How did you hear of us?");
    await expect(heardFrom).toHaveValue("");
    await heardFrom.selectOption("Friend or colleague");
    await send(page, earlyAccess);
    await expect(earlyAccess.place(page).getByRole("status")).toHaveText(earlyAccess.success);
    expect(getSignup(product)?.heard_from).toBe("friend or colleague");
    await page.setViewportSize({ width: 1600, height: 900 });
    await openSignedIn(page, product, "/admin/submissions/early-access");
    const row = page.getByRole("row", { name: /Ada Byron/ });
    await expect(row.getByText("Friend or colleague")).toBeVisible();
  });
});
