import type { Page } from "@playwright/test";
import { seconds } from "../../app/lib/durations";
import { expect, openSignedIn, test } from "./product";

const SENT = "Test email sent successfully!";

const messages = (page: Page) => page.getByRole("region", { name: "Messages (F8)" });
const toast = (page: Page) => messages(page).getByRole("listitem");

async function sendTest(page: Page): Promise<void> {
  const panel = page.locator("#outreach");
  await panel.getByLabel("Test email address").fill("me@example.com");
  // Loaded with the first focus: a message that comes before stays in the page.
  await expect(messages(page)).toBeAttached();
  await panel.getByRole("button", { name: "Send Test" }).click();
  await expect(toast(page)).toContainText(SENT);
}

test("a success is a toast for as long as specified, or as it is read @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/dashboard");
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + seconds(60));

  await sendTest(page);
  await page.mouse.move(0, 0);
  await page.clock.runFor(500);
  // Once on the screen and once in the live region.
  await expect(page.locator("#outreach").getByText(SENT)).toHaveCount(0);
  await expect(page.getByRole("status")).toHaveText([`Notification ${SENT}`]);
  await page.clock.runFor(seconds(2.5) - 1);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(toast(page)).toHaveCount(0);

  await page.locator("#outreach").getByRole("button", { name: "Save draft" }).click();
  await page.mouse.move(0, 0);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(seconds(2) - 1);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(toast(page)).toHaveCount(0);

  await sendTest(page);
  await toast(page).hover();
  await page.clock.runFor(seconds(60));
  await expect(toast(page)).toHaveCount(1);
  await page.mouse.move(0, 0);
  await page.clock.runFor(seconds(3));
  await expect(toast(page)).toHaveCount(0);

  const sendButton = page.getByRole("button", { name: "Send Test" });
  await sendTest(page);
  await expect(sendButton).toBeFocused();
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await expect(toast(page)).toBeFocused();
  await page.clock.runFor(seconds(60));
  await page.keyboard.press("Tab");
  await expect(toast(page).getByRole("button", { name: "Dismiss" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast(page)).toHaveCount(0);
  await expect(sendButton).toBeFocused();

  await sendTest(page);
  const box = (await toast(page).boundingBox())!;
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect(toast(page)).toHaveCount(0);

  // A message is not repeated by a link within the page or when the theme changes, and is in the page after a reload.
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page).toHaveURL(/notice=test-sent.*#main$/);
  await expect(page.locator("#outreach").getByText(SENT)).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect(page).not.toHaveURL(/notice=/);
  await expect(toast(page)).toHaveCount(0);
  await page.goto("/admin/dashboard?notice=test-sent#outreach");
  await expect(page.locator("#outreach").getByRole("status")).toContainText(SENT);
});
