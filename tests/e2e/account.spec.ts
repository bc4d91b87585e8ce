import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, openSignedIn, OWN_PASSWORD, submitLogin, test } from "./product";

const NEW = "grace@example.com";

test("an operator changes their own name and address", async ({ page, product, smtp, browser }) => {
  await openSignedIn(page, product, "/admin/dashboard");
  await page.getByRole("banner").getByRole("link", { name: "Superadmin" }).click();
  await expect(page.getByRole("heading", { name: "My account", level: 1 })).toBeVisible();
  const main = page.getByRole("main");
  await main.getByLabel("Full name").fill("Grace Hopper");
  await main.getByRole("button", { name: "Save name" }).click();
  await expectToBeTold(page, "Your name was saved.");
  await expect(page.getByRole("banner").getByRole("link", { name: "Grace Hopper" })).toBeVisible();

  await main.getByLabel("New email address").fill(NEW);
  await main.getByLabel("Current password").fill("not my password");
  await main.getByRole("button", { name: "Send the link" }).click();
  await expect(main.getByRole("alert")).toContainText("Your address stays as it is");
  await expect(main.getByLabel("Current password")).toHaveAccessibleDescription(
    "This is not your current password.",
  );
  await expect(main.getByLabel("New email address")).toHaveValue(NEW);
  await expectNothingFound(page, "a refused change of the address", ONE_THEME);
  await main.getByLabel("Current password").fill(OWN_PASSWORD);
  await main.getByRole("button", { name: "Send the link" }).click();
  await expectToBeTold(page, "Your address changes once the link");
  await expect(main).toContainText(`${NEW} waits for its confirmation`);
  await expect(main).toContainText("accepted by the mail server");
  await expect(main.getByLabel("New email address")).toHaveValue("");
  await expectNothingFound(page, "a change of the address that waits");

  await expect.poll(() => smtp.count()).toBe(1);
  const [link = ""] = /https?:\/\/\S+/.exec((await smtp.emails[0]!.parse()).text ?? "") ?? [];
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Confirm your new address" })).toBeVisible();
  await expectNothingFound(page, "the page of the link");
  await page.getByRole("button", { name: "Use this address" }).click();
  await expect(page.getByRole("heading", { name: "Your address was changed" })).toBeVisible();
  const opened = page.waitForResponse((response) => response.request().isNavigationRequest());
  await page.getByRole("link", { name: "To my account" }).click();
  // A document of its own: only the back office's policy lets it frame previews of emails.
  expect((await opened).headers()["content-security-policy"]).toContain("frame-src 'self'");
  await expect(main).toContainText(`Your address is ${NEW}`);
  await expect(main).not.toContainText("waits for its confirmation");
  await expect.poll(() => smtp.count()).toBe(2);
  expect((await smtp.emails[1]!.parse()).subject).toMatch(/^The address of your .* account was changed$/);

  const elsewhere = await browser.newPage({ baseURL: product.origin });
  await elsewhere.goto("/login");
  await submitLogin(elsewhere, NEW, OWN_PASSWORD);
  await expect(elsewhere).toHaveURL(/\/admin/);
  await elsewhere.close();
});

test("an operator withdraws a change of their address @js", async ({ page, product, smtp }) => {
  await openSignedIn(page, product, "/admin/account");
  await page.getByLabel("New email address").fill(NEW);
  await page.getByLabel("Current password").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("waits for its confirmation")).toBeVisible();
  await page.route("**/admin/account.data", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
  await page.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("The server could not be reached.");
  await page.unroute("**/admin/account.data");
  await page.getByRole("button", { name: "Withdraw" }).click();
  await expectToBeTold(page, "The change was withdrawn.");
  await expect(page.getByText("waits for its confirmation")).toHaveCount(0);
  const [link = ""] = /https?:\/\/\S+/.exec((await smtp.emails[0]!.parse()).text ?? "") ?? [];
  expect((await page.goto(link))?.status()).toBe(410);
  await expect(page.getByRole("heading", { name: "This link does not work any more" })).toBeVisible();
});
