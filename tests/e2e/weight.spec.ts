import type { CDPSession, Page } from "@playwright/test";
import { expect, signIn, test } from "./product";

/** The most bytes of a first visit: all responses with their headers, compressed as sent (docs/decisions/0014). */
const BUDGET_BYTES = 177 * 1024;
/** The most of them before the visitor shows any interest (docs/decisions/0012). */
const UNASKED_BUDGET_BYTES = 60 * 1024;
/** The most bytes, without headers, of the first screen of the back office that somebody opens (docs/decisions/0019). */
const BACK_OFFICE_BUDGET_BYTES = 256 * 1024;

/** Address -> bytes on the wire, in the order the responses ended: headers and body, or the body alone. */
async function recordTransfers(session: CDPSession, part?: "bodies"): Promise<Map<string, number>> {
  const addresses = new Map<string, string>();
  const heads = new Map<string, number>();
  const transfers = new Map<string, number>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => addresses.set(requestId, request.url));
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (part === "bodies") heads.set(requestId, response.encodedDataLength);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const { pathname } = new URL(addresses.get(requestId) ?? "http://unknown/");
    const bytes = encodedDataLength - (heads.get(requestId) ?? 0);
    transfers.set(pathname, (transfers.get(pathname) ?? 0) + bytes);
  });
  await session.send("Network.enable");
  return transfers;
}

function added(transfers: Map<string, number>): { total: number; table: string } {
  const total = [...transfers.values()].reduce((sum, bytes) => sum + bytes, 0);
  const table = [...transfers].map(([path, bytes]) => `${String(bytes).padStart(7)}  ${path}`).join("\n");
  test.info().annotations.push({ type: "transfer", description: `\n${table}\n${total} bytes in all` });
  return { total, table };
}

/** Scrolls slowly to the bottom, so that everything lazy is fetched. */
async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    while (scrollY + innerHeight < document.documentElement.scrollHeight - 1) {
      scrollBy({ top: innerHeight, behavior: "instant" });
      await frame();
    }
  })()`);
}

/** Waits until nothing has arrived for a second: the state "networkidle" was reached before the scripts began to load. */
async function waitUntilQuiet(page: Page, transfers: ReadonlyMap<string, number>): Promise<void> {
  let before: number;
  do {
    before = transfers.size;
    await page.waitForTimeout(1000);
  } while (transfers.size > before);
}

/** Records the page's layout shifts from the first paint on. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
}

test("a first visit stays within its budget and has no layout shift @js", async ({ page }) => {
  const transfers = await recordTransfers(await page.context().newCDPSession(page));
  await page.setViewportSize({ width: 412, height: 823 });
  await recordShifts(page);
  await page.goto("/", { waitUntil: "networkidle" });
  const unasked = added(transfers);
  expect(unasked.total, unasked.table).toBeLessThanOrEqual(UNASKED_BUDGET_BYTES);
  expect([...transfers.keys()].filter((path) => /\.js$/.test(path))).toEqual([]);
  await readToTheEnd(page);
  await waitUntilQuiet(page, transfers);

  const { total, table } = added(transfers);
  expect(await page.evaluate("shifts")).toEqual([]);
  const fonts = [...transfers.keys()].filter((path) => path.endsWith(".woff2"));
  expect(fonts.map((path) => path.replace(/-[\w-]{8}\.woff2$/, "")).sort()).toEqual([
    "/static/assets/instrument-serif-subset",
    "/static/assets/inter-subset",
  ]);
  expect(transfers.get("/"), "the page itself was measured").toBeGreaterThan(1000);
  expect(total, table).toBeLessThanOrEqual(BUDGET_BYTES);
});

test("a screen of the back office stays within its budget @js", async ({ page, product, context }) => {
  await signIn(page, product);
  const { cookies } = await context.storageState();
  const screens = [
    "/admin/dashboard",
    "/admin/users",
    "/admin/notifications",
    "/admin/logs",
    "/admin/resouces-monitor",
  ];
  for (const screen of screens) {
    // Somebody who has fetched nothing yet.
    const cold = await context.browser()!.newContext({ baseURL: product.origin });
    await cold.addCookies(cookies);
    const other = await cold.newPage();
    const transfers = await recordTransfers(await cold.newCDPSession(other), "bodies");
    await other.goto(screen, { waitUntil: "networkidle" });
    const { total, table } = added(transfers);
    expect(transfers.get(screen), "the page itself was measured").toBeGreaterThan(1000);
    expect(total, `${screen}\n${table}`).toBeLessThanOrEqual(BACK_OFFICE_BUDGET_BYTES);
    await cold.close();
  }

  await page.goto("/admin/dashboard", { waitUntil: "networkidle" });
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname !== "/favicon.svg") requests.push(`${request.resourceType()} ${pathname}`);
  });
  const rail = page.getByRole("navigation", { name: "Back office" });
  for (const name of ["Quarantine", "Activity", "My sessions", "Dashboard"]) {
    await rail.getByRole("link", { name, exact: true }).click();
    await expect(rail.getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "page");
  }
  const getKind = (request: string) =>
    /\.data$|^\w+ \/static\/assets\/[\w.-]+\.(?:js|css)$/.exec(request)?.[0];
  expect(requests.filter((request) => getKind(request) === undefined)).toEqual([]);
  expect(requests.filter((request) => request.startsWith("document"))).toEqual([]);
  const files = requests
    .filter((request) => request.includes("/static/"))
    .map((request) => request.split(" ")[1]);
  expect(files).toEqual([...new Set(files)]);
});
