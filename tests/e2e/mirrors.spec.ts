import type { Page } from "@playwright/test";
import { startWebEndpoints } from "../fakes/web-endpoints";
import { submit } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import { expectNothingFound } from "./axe";
import { agedStamp, expect, expectToBeTold, signIn, test as base } from "./product";

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

async function person(product: ServerProcess, stamp: string, name: string): Promise<void> {
  const email = `${name.toLowerCase()}@example.com`;
  const answer = await submit(product, "/early-access", { name, email, stamp });
  expect(answer.headers.get("Location")).toContain("registered");
}

/** Reloads the page until it shows a text, because the worker changes it. */
async function expectToSay(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.goto("/admin/mirrors");
    await expect(early(page)).toContainText(words, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
}

test.describe("the copies of submissions", () => {
  test.describe.configure({ timeout: 120_000 });

  test("say how they fare, what stops them, and take a person's answers", async ({
    page,
    product,
    endpoints,
  }) => {
    const stamp = agedStamp();
    const emails = () => endpoints.rows("early-access").map((row) => row[1]);
    await signIn(page, product);
    await page.goto("/admin/dashboard");
    await page.getByRole("link", { name: "Mirrors" }).first().click();
    await expect(page.getByRole("heading", { name: "Mirrors", level: 1 })).toBeVisible();
    await expect(page.getByRole("contentinfo")).toContainText("Mirrors: web endpoint");
    await expectToSay(page, "In sync");

    await person(product, stamp, "Ada");
    await expect.poll(emails).toEqual(["ada@example.com"]);
    await expectToSay(page, "In sync");

    // The response is lost.
    endpoints.events.push("cut-after-apply");
    await person(product, stamp, "Grace");
    await expectToSay(page, "Sent, but not confirmed");
    await expect(early(page)).toContainText("Needs review");
    await expect(page.getByRole("link", { name: "Mirrors 1 waiting" }).first()).toBeVisible();
    await expectNothingFound(page, "a row that waits for a person");
    await early(page).getByRole("button", { name: "It is there: Grace" }).click();
    await expectToBeTold(page, "Your answer was saved.");
    await expect(early(page)).toContainText("In sync");

    endpoints.events.push({ status: 422, body: '{"message":"No such role"}' });
    await person(product, stamp, "Alan");
    await expectToSay(page, "No such role");
    await early(page).getByRole("button", { name: "Write again: Alan" }).click();
    await expect.poll(emails).toEqual(["ada@example.com", "grace@example.com", "alan@example.com"]);

    // The endpoint is missing once.
    endpoints.events.push({ status: 404 });
    await person(product, stamp, "Mary");
    await expectToSay(page, "Stopped");
    await expect(early(page)).toContainText("1 waiting");
    await expect(early(page)).toContainText("Check its address in the settings");
    await expectNothingFound(page, "a copy that stopped");
    await early(page).getByRole("button", { name: "Try again: Early access" }).click();
    await expectToBeTold(page, "Retrying.");
    await expect.poll(emails).toHaveLength(4);
    await expectToSay(page, "In sync");

    await page.goto("/admin/activity");
    await expect(page.getByText("resolved a row of the mirror of early-access").first()).toBeVisible();
  });
});
