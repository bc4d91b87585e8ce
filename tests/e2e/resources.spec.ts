import { renameSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, holdBack, openSignedIn, pressInTurn, signIn, test } from "./product";

const MONITOR = "/admin/resouces-monitor";

const card = (page: Page, title: string) => page.getByRole("heading", { name: title, level: 2, exact: true });

test("an operator sees how the server is, without any Redis", async ({ page, product }, { project }) => {
  await openSignedIn(page, product, "/admin");
  await page.getByRole("link", { name: "Server Resources" }).first().click();
  await expect(page).toHaveURL(/\/admin\/resouces-monitor$/);
  await expect(page.getByRole("heading", { name: "System Resources Monitor", level: 1 })).toBeVisible();
  const usages = ["Disk Usage", "Memory Usage", "CPU Usage"];
  for (const title of [...usages, "History"]) await expect(card(page, title)).toBeVisible();
  for (const name of usages) {
    // It refreshes itself.
    await expect(async () => {
      const meter = page.getByRole("meter", { name: `${name} in percent` });
      const shown = `${Number(await meter.getAttribute("aria-valuenow")).toFixed(1)} %`;
      await expect(page.getByText(shown, { exact: true }).first()).toBeVisible({ timeout: 500 });
    }).toPass();
  }
  await expect(page.getByText("Auto-refreshes every 30 seconds")).toBeVisible();
  for (const title of ["Redis Status", "Meeting Metrics"]) await expect(card(page, title)).toHaveCount(0);

  await page.getByRole("link", { name: "Last 30 days" }).click();
  await expect(page).toHaveURL(/over=month/);
  const updated = page.getByText(/^Last updated: /);
  const before = await updated.textContent();
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(updated).not.toHaveText(before ?? "", { timeout: 500 });
  }).toPass();
  await expect(page).toHaveURL(/over=month/);
  if (project.name === "no-js") {
    await expect(page.locator('meta[http-equiv="refresh"]')).toHaveAttribute("content", "30");
  }
});

test("what cannot be measured is said, and tried again @js", async ({ page, product }) => {
  await openSignedIn(page, product, MONITOR);
  const release = await holdBack(page, `**${MONITOR}.data*`);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("button", { name: "Refreshing..." })).toBeDisabled();
  await expect(page.locator("[aria-busy=true]").filter({ has: card(page, "Disk Usage") })).toBeVisible();
  release();
  await expect(page.getByRole("button", { name: "Refresh", exact: true })).toBeEnabled();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  renameSync(product.dataDir, `${product.dataDir}-away`);
  try {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByRole("alert")).toContainText("Failed to fetch resource data");
    await expect(card(page, "Disk Usage")).toHaveCount(0);
  } finally {
    renameSync(`${product.dataDir}-away`, product.dataDir);
  }
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(card(page, "Disk Usage")).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the page fetches its data every 30 seconds, and g r leads to it @js", async ({ page, product }) => {
  await signIn(page, product);
  await page.clock.install();
  await page.goto("/admin/dashboard");
  await pressInTurn(page, "g", "r");
  await expect(card(page, "Disk Usage")).toBeVisible();
  for (let time = 0; time < 2; time += 1) {
    // Until the last response is rendered, the next 30 seconds have not begun.
    await expect(async () => {
      const again = page.waitForResponse((answer) => answer.url().includes(`${MONITOR}.data`), {
        timeout: 2000,
      });
      await page.clock.fastForward(31_000);
      expect((await again).status()).toBe(200);
    }).toPass();
  }

  const show = (visibilityState: DocumentVisibilityState) =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, visibilityState);
  // Not while nobody sees the tab, and at once when somebody does again.
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await expect(async () => {
    await show("hidden");
    requests.length = 0;
    await page.clock.fastForward(31_000);
    // After this response, any request of the page would have been sent.
    await page.evaluate(() => fetch("/healthz"));
    expect(requests).toEqual([`${product.origin}/healthz`]);
    const again = page.waitForResponse((answer) => answer.url().includes(`${MONITOR}.data`), {
      timeout: 2000,
    });
    await show("visible");
    expect((await again).status()).toBe(200);
  }).toPass();
});
