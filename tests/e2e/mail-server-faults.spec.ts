import type { Page } from "@playwright/test";
import type { Answer } from "../fakes/smtp-server";
import { execute, readRows } from "../server/visitors";
import type { ServerProcess } from "../server-process";
import { expect, signIn, signUp, test, writeEmail } from "./product";

/** Attempts at 0, 10, 25, 55 minutes, 2, 4 and 8 hours (R9). */
const ATTEMPTS = 7;
const ACCEPTED = "250 OK: message queued";
const LATER = { code: 451, text: "4.7.1 Greylisted, come back later" };
const NOBODY = { code: 550, text: "5.1.1 No such user here" };
const FULL = { code: 552, text: "5.2.2 Mailbox full" };

// Below 1200 pixels a campaign stands alone, with all columns of its recipients.
test.use({ viewport: { width: 1100, height: 800 } });

test.describe("a campaign through a failing mail server", () => {
  /** The server's fault until the test changes it, so that nothing here depends on time. */
  let fault: "cuts" | "closes" | "refuses" | "none" = "none";
  /** In the order of signup, which is the order of delivery over one connection. */
  const SCRIPT: Record<string, (attempt: number) => Answer> = {
    "first@example.com": () => "ok",
    "greylisted@example.com": (attempt) => (attempt <= 2 ? LATER : "ok"),
    "gone@example.com": () => NOBODY,
    "full@example.com": () => (fault === "none" ? "ok" : FULL),
    "cut@example.com": () => (fault === "cuts" ? "drop-in-data" : "ok"),
    "closing@example.com": () => (fault === "closes" ? "421" : "ok"),
    "slow@example.com": () => ({ slow: 1500 }),
    "never@example.com": () => (fault === "none" ? "ok" : LATER),
    "unheard@example.com": () => "drop-after-data",
    "last@example.com": () => "ok",
  };
  test.use({ settings: { TRUST_PROXY: "1", MAIL_CONCURRENCY: "1" } });

  // R8, R9
  test("ends with each recipient as the server answered @no-js", async ({ page, product, smtp }) => {
    // The wait for the server doubles with each failure: the slower the machine, the longer it is.
    test.setTimeout(300_000);
    fault = "cuts";
    smtp.setAnswer((address, attempt) => SCRIPT[address]?.(attempt) ?? "ok");
    const addresses = Object.keys(SCRIPT);
    for (const email of addresses) await signUp(product, { name: "Ada Byron", email });
    await signIn(page, product);
    const dashboard = await sendCampaign(page, addresses.length);

    // The fifth connection was cut in the middle of the message: nothing more is sent, and nobody is lost.
    await expectText(page, "1 of 10 sent, waiting for the mail server");
    await expectCovered(page);
    // The page refreshes itself, which may take a click's target away.
    const all = await page.getByRole("link", { name: "See all recipients" }).getAttribute("href");
    await open(page, all ?? "");
    await expect(page).toHaveURL(/\/admin\/outreach\//);
    const campaignPage = page.url();
    await expectText(page, "The mail server could not be reached; retrying");
    await expectStats(page, { selected: 10, sent: 1, failed: 2, pending: 7 });
    await expect(async () => {
      expect(await recipients(page)).toEqual([
        ["first@example.com", "Sent", ACCEPTED, "1"],
        ["greylisted@example.com", "Retrying", `451 ${LATER.text}`, "1"],
        ["gone@example.com", "Failed", `550 ${NOBODY.text}`, "1"],
        ["full@example.com", "Failed", `552 ${FULL.text}`, "1"],
        ...addresses.slice(4).map((address) => [address, "Pending", "", "0"]),
      ]);
    }).toPass();

    // An operator need not wait for the next attempt.
    fault = "closes";
    await expect(async () => {
      const pause = page.getByRole("button", { name: "Pause" });
      if (await pause.isVisible()) await pause.click({ timeout: 2000 });
      await expect(page.getByRole("main")).toContainText("Resume to send the rest.", { timeout: 2000 });
    }).toPass();
    await page.getByRole("button", { name: "Resume" }).click();
    await expectText(page, "421 Too many messages, closing");
    await expectStats(page, { selected: 10, sent: 2, failed: 2, pending: 6 });

    // It continues by itself, past the slow one to the last.
    fault = "refuses";
    await expect.poll(() => smtp.count(), { timeout: 120_000 }).toBe(6);
    await expectAttempts(product, "last@example.com", 1);
    await open(page, dashboard);
    await expectText(page, "5 of 10 sent, 2 waiting, next attempt 20");
    for (let tries = 2; tries <= ATTEMPTS; tries += 1) {
      // Makes all retries due now.
      execute(product, "update deliveries set not_before = 1 where state = 'retrying'");
      await expectAttempts(product, "never@example.com", tries);
    }

    await open(page, dashboard);
    await expectText(page, "Error sending Emails");
    await expectText(page, "6 sent, 3 failed, 1 uncertain.");
    await open(page, campaignPage);
    await expectStats(page, { selected: 10, sent: 6, failed: 3, uncertain: 1 });
    const ended = await recipients(page);
    expect(ended.map(([address, state, , tries]) => [address, state, tries])).toEqual([
      ["first@example.com", "Sent", "1"],
      ["greylisted@example.com", "Sent", "3"],
      ["gone@example.com", "Failed", "1"],
      ["full@example.com", "Failed", "1"],
      // Neither email was handed over when its connection ended.
      ["cut@example.com", "Sent", "1"],
      ["closing@example.com", "Sent", "1"],
      ["slow@example.com", "Sent", "1"],
      ["never@example.com", "Failed", String(ATTEMPTS)],
      ["unheard@example.com", "Uncertain", "1"],
      ["last@example.com", "Sent", "1"],
    ]);
    expect(ended[7]?.[2]).toBe(`451 ${LATER.text}`);
    const listDeliveries = (address: string) => smtp.deliveries.filter((one) => one.address === address);
    expect(listDeliveries("unheard@example.com")).toHaveLength(1);

    // The operator settles the uncertain one, fixes the cause of the others and retries them.
    await page.getByRole("button", { name: "Mark all of them as sent" }).click();
    await expectStats(page, { selected: 10, sent: 7, failed: 3 });
    fault = "none";
    await page.getByRole("button", { name: "Retry failed" }).click();
    await expect(page.getByText("2 retried, 1 not retried: on the suppression list.")).toBeVisible();
    await expectAttempts(product, "never@example.com", 1);
    await expectText(page, "Finished");
    await expectStats(page, { selected: 10, sent: 9, failed: 1 });
    await expect(page.getByRole("row").filter({ hasText: "gone@example.com" })).toContainText(NOBODY.text);
    await open(page, "/admin/suppressions");
    await expect(page.getByRole("row").filter({ hasText: "gone@example.com" })).toContainText(NOBODY.text);
    await expect(page.getByRole("row").filter({ hasText: "full@example.com" })).toHaveCount(0);
  });
});

/** Confirms a campaign. @returns the URL of its progress. */
async function sendCampaign(page: Page, count: number): Promise<string> {
  await page.goto("/admin/dashboard");
  const panel = await writeEmail(page, "We open on Monday", "Hello {{name}}, the beta opens on Monday.");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expect(page.getByRole("dialog", { name: "Confirm Email Send" })).toContainText(`${count} recipients`);
  await page.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page).toHaveURL(/send=/);
  return page.url();
}

/** Opens a page from one that refreshes itself: a refresh at the same moment ends the first navigation. */
async function open(page: Page, address: string): Promise<void> {
  await expect(() => page.goto(address)).toPass();
}

/** Reloads until the page has the text, because without JavaScript it does not refresh. */
async function expectText(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("main")).toContainText(words, { timeout: 500 });
  }).toPass();
}

/** Checks that the progress of a campaign covers the form, which is inert. */
async function expectCovered(page: Page): Promise<void> {
  const overlay = page.getByRole("status").filter({ hasText: "1 of 10 sent" });
  const form = page.locator("#outreach form[inert]");
  const [above, below] = [(await overlay.boundingBox())!, (await form.boundingBox())!];
  expect(above.x).toBeLessThanOrEqual(below.x);
  expect(above.y).toBeLessThanOrEqual(below.y);
  expect(above.x + above.width).toBeGreaterThanOrEqual(below.x + below.width);
  expect(above.y + above.height).toBeGreaterThanOrEqual(below.y + below.height);
}

type ShownStats = Partial<Record<"sent" | "failed" | "skipped" | "uncertain" | "pending", number>>;

/** Waits until the campaign's page shows these totals, which add up; those left out are 0. */
async function expectStats(
  page: Page,
  { selected, ...wanted }: ShownStats & { selected: number },
): Promise<void> {
  const parts = { sent: 0, failed: 0, skipped: 0, uncertain: 0, pending: 0, ...wanted };
  const figure = async (label: string) => {
    const text = await page
      .getByRole("main")
      .getByRole("link", { name: new RegExp(`^${label} ?[\\d,]+`, "i") })
      .innerText();
    return Number(/\d[\d,]*/.exec(text)?.[0].replaceAll(",", ""));
  };
  expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(selected);
  const all = { selected, ...parts };
  const shown = async () => {
    const figures = Object.keys(all).map(async (name) => [name, await figure(name)] as const);
    return Object.fromEntries(await Promise.all(figures));
  };
  await expect.poll(shown).toEqual(all);
}

/** Reads the deliveries on the campaign's page: address, status, reason, attempts. */
async function recipients(page: Page): Promise<string[][]> {
  const rows = await page.getByRole("row").all();
  const cells = await Promise.all(rows.map((row) => row.getByRole("cell").allInnerTexts()));
  return cells.filter((row) => row.length > 0).map((row) => row.slice(0, 4).map((cell) => cell.trim()));
}

/** Waits until the delivery has this many attempts and none is in flight. */
async function expectAttempts(product: ServerProcess, address: string, tries: number): Promise<void> {
  const query = "select attempts from deliveries where address = ? and state <> 'claimed'";
  await expect.poll(() => readRows(product, query, address)[0]?.attempts).toBe(tries);
}
