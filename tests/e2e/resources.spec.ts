import { renameSync } from "node:fs";
import type { Page } from "@playwright/test";
import { hasRedis, startRedis, type RedisServer } from "../redis";
import { expect, holdBack, signIn, test as base } from "./product";

const MONITOR = "/admin/resouces-monitor";

const test = base.extend<{ redis: RedisServer }>({
  redis: async ({}, use) => {
    const redis = await startRedis();
    await use(redis);
    await redis.remove();
  },
});

const card = (page: Page, title: string) => page.getByRole("heading", { name: title, level: 2, exact: true });

/** Presses Refresh until the page says it: Redis is asked every two seconds at most, and answers when it does. */
async function refreshUntil(page: Page, text: string | RegExp) {
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByRole("main").getByText(text, { exact: true }).first()).toBeVisible({
      timeout: 1000,
    });
  }).toPass({ timeout: 30_000 });
}

test("an operator sees how the server is, without any Redis", async ({ page, product }, { project }) => {
  await signIn(page, product);
  await page.goto("/admin");
  await page.getByRole("link", { name: "Server Resources" }).first().click();
  await expect(page).toHaveURL(/\/admin\/resouces-monitor$/);
  await expect(page.getByRole("heading", { name: "System Resources Monitor", level: 1 })).toBeVisible();
  const usages = ["Disk Usage", "Memory Usage", "CPU Usage"];
  for (const title of [...usages, "System Health", "Network Usage", "History"]) {
    await expect(card(page, title)).toBeVisible();
  }
  await expect(page.getByRole("heading", { name: /^CPU Cores \(\d+\)$/ })).toBeVisible();
  for (const name of usages) {
    const value = await page.getByRole("meter", { name: `${name} in percent` }).getAttribute("aria-valuenow");
    await expect(page.getByText(`${Number(value).toFixed(1)} %`, { exact: true }).first()).toBeVisible();
  }
  await expect(page.getByText("System CPU utilization")).toBeVisible();
  await expect(page.getByText(/^(?:Healthy|Warning)$/)).toBeVisible();
  await expect(page.getByText("Auto-refreshes every 30 seconds")).toBeVisible();
  for (const title of ["Redis Status", "Meeting Metrics"]) await expect(card(page, title)).toHaveCount(0);
  await expect(page.getByText(/^(?:Online|Offline|Meeting Load)$/)).toHaveCount(0);

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
  await signIn(page, product);
  await page.goto(MONITOR);
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

test("the page fetches its data again every 30 seconds, and g r leads to it @js", async ({
  page,
  product,
}) => {
  await signIn(page, product);
  await page.clock.install();
  await page.goto("/admin/dashboard", { waitUntil: "networkidle" });
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(card(page, "Disk Usage")).toBeVisible();
  for (let time = 0; time < 2; time += 1) {
    const again = page.waitForResponse((answer) => answer.url().includes(`${MONITOR}.data`));
    await page.clock.fastForward(31_000);
    expect((await again).status()).toBe(200);
    // The response is rendered before the next 30 seconds begin.
    await page.waitForLoadState("networkidle");
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

test.describe("with a Redis", () => {
  test.skip(!hasRedis, "there is no redis-server on this machine");
  test.use({ ownSettings: async ({ redis }, use) => use({ REDIS_URL: redis.url }) });

  test("that dies and comes back, the page says so and nothing else notices (R12) @js", async ({
    page,
    product,
    redis,
  }) => {
    await signIn(page, product);
    await page.goto(MONITOR);
    await refreshUntil(page, "Connected");
    await expect(card(page, "Redis Status")).toBeVisible();
    await expect(page.getByText("Online", { exact: true })).toBeVisible();
    await expect(page.getByText("redis://***:***@127.0.0.1")).toBeVisible();
    expect(await page.content()).not.toContain(redis.password);
    await expect(card(page, "Meeting Metrics")).toHaveCount(0);

    const meetings = Array.from({ length: 9 }, (_, index) => `meeting-${index}`);
    await redis.run("SADD", "meetings:active", ...meetings);
    await redis.run("SET", "meetings:recordings", "1204");
    await refreshUntil(page, "9/15 capacity");
    await expect(card(page, "Meeting Metrics")).toBeVisible();
    await expect(page.getByText("Medium", { exact: true }).first()).toBeVisible();
    await expect(page.getByText("1,204", { exact: true })).toBeVisible();

    await redis.kill();
    await refreshUntil(page, "Disconnected");
    await expect(page.getByText("Offline", { exact: true })).toBeVisible();
    await expect(card(page, "Meeting Metrics")).toHaveCount(0);
    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();

    await redis.start();
    await page.goto(MONITOR);
    await refreshUntil(page, "Connected");
    await expect(page.getByText("Online", { exact: true })).toBeVisible();
  });
});
