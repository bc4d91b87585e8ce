import type { Page } from "@playwright/test";
import { startWebEndpoints } from "../fakes/web-endpoints";
import type { ServerProcess } from "../server-process";
import { execute } from "../server/visitors";
import { expectNothingFound } from "./axe";
import { expect, expectToBeTold, openSignedIn, signUp, test as base } from "./product";

type Endpoints = Awaited<ReturnType<typeof startWebEndpoints>>;

const test = base.extend<{ endpoints: Endpoints }>({
  endpoints: async ({}, use) => {
    const endpoints = await startWebEndpoints();
    await use(endpoints);
    await endpoints.close();
  },
  ownSettings: async ({ endpoints: { urls } }, use) =>
    use({
      SUBMISSION_MIRROR: "web-endpoint",
      MIRROR_EARLY_ACCESS_URL: urls["early-access"],
      MIRROR_CONTACT_URL: urls["contact-form"],
      MIRROR_UPDATES_URL: urls["updates-signup"],
    }),
});

const early = (page: Page) => page.getByRole("article", { name: "Early access" });

const signUpAs = (product: ServerProcess, name: string) =>
  signUp(product, { name, email: `${name.toLowerCase()}@example.com` });

/** Reloads the page until it shows a text, because the worker changes it. */
async function expectToSay(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.goto("/admin/mirrors");
    await expect(early(page)).toContainText(words, { timeout: 500 });
  }).toPass();
}

test("the copies of submissions say how they fare", async ({ page, product, endpoints }) => {
  const emails = () => endpoints.rows("early-access").map((row) => row[1]);
  await openSignedIn(page, product, "/admin/dashboard");
  await page.getByRole("link", { name: "Mirrors" }).first().click();
  await expect(page.getByRole("heading", { name: "Mirrors", level: 1 })).toBeVisible();
  await expect(page.getByRole("contentinfo")).toContainText("Mirrors: web endpoint");
  await expectToSay(page, "In sync");

  await signUpAs(product, "Ada");
  await expect.poll(emails).toEqual(["ada@example.com"]);
  await expectToSay(page, "In sync");

  // The response is lost.
  endpoints.events.push("cut-after-apply");
  await signUpAs(product, "Grace");
  await expectToSay(page, "Sent, but not confirmed");
  await expect(early(page)).toContainText("Needs review");
  await expect(page.getByRole("link", { name: "Mirrors 1 waiting" }).first()).toBeVisible();
  await expectNothingFound(page, "a row that waits for a person");
  await early(page).getByRole("button", { name: "It is there: Grace" }).click();
  await expectToBeTold(page, "Your answer was saved.");
  await expect(early(page)).toContainText("In sync");

  endpoints.events.push({ status: 422, body: '{"message":"No such role"}' });
  await signUpAs(product, "Alan");
  await expectToSay(page, "No such role");
  await early(page).getByRole("button", { name: "Write again: Alan" }).click();
  await expect.poll(emails).toEqual(["ada@example.com", "grace@example.com", "alan@example.com"]);

  // The endpoint is missing once.
  endpoints.events.push({ status: 404 });
  await signUpAs(product, "Mary");
  await expectToSay(page, "Stopped");
  await expect(early(page)).toContainText("1 waiting");
  await expect(early(page)).toContainText("Check its address in the settings");
  await expectNothingFound(page, "a copy that stopped");
  await early(page).getByRole("button", { name: "Try again: Early access" }).click();
  await expectToBeTold(page, "Retrying.");
  await expect.poll(emails).toHaveLength(4);
  await expectToSay(page, "In sync");

  // One that was asked for before the copy could no longer be read.
  execute(product, "update mirror_sheets set is_repair_requested = 1 where kind = 'early-access'");
  await expectToSay(page, "It cannot be read back");
  await expect(early(page)).toContainText("In sync");
  await expect(early(page)).not.toContainText("A repair is in progress.");

  await page.goto("/admin/submissions/early-access");
  await page.getByRole("checkbox", { name: "Select the submission of Mary" }).check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Delete 1 submission?" })).toContainText(
    /removed from tables, counts and audiences at once\..*Their rows in the mirror stay until somebody removes them there\./,
  );

  await page.goto("/admin/activity");
  await expect(page.getByText("resolved a row of the mirror of early-access").first()).toBeVisible();
});
