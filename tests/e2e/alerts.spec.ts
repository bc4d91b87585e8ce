import { submit } from "../server/visitors";
import { expectNothingFound } from "./axe";
import { agedStamp, expect, expectToBeTold, openSignedIn, test } from "./product";

test("an operator chooses what they are told about, and is told @js", async ({ page, product, smtp }) => {
  await openSignedIn(page, product, "/admin/account");
  const main = page.getByRole("main");
  await main.getByRole("link", { name: "Alerts" }).click();
  await expect(page.getByRole("heading", { name: "Alerts", level: 1 })).toBeVisible();
  await expectNothingFound(page, "alerts that are off");
  await main.getByLabel("New inquiries").selectOption("At once");
  await main.getByLabel("Incidents of the server").selectOption("In the daily email");
  await main.getByLabel("Hour of the daily email").selectOption("17:00");
  await main.getByRole("button", { name: "Save alerts" }).click();
  await expectToBeTold(page, "Your alerts were saved.");
  await expect(main.getByLabel("New inquiries")).toHaveValue("at-once");
  await expect(main.getByLabel("Hour of the daily email")).toHaveValue("17");

  await main.getByRole("button", { name: "Send me a test" }).click();
  await expectToBeTold(page, "The mail server accepted the test email.");
  await expect(main.getByRole("region", { name: "Try it" })).toContainText("accepted by the mail server");
  await expect.poll(() => smtp.count()).toBe(1);

  await submit(product, "/contact", {
    fullName: "Grace Hopper",
    email: "grace@example.com",
    message: "Hello",
    stamp: agedStamp(),
  });
  await expect.poll(() => smtp.count()).toBe(2);
  const { subject, text = "" } = await smtp.emails[1]!.parse();
  expect(subject).toBe("1 new inquiry");
  expect(text).toContain("From Grace Hopper.");
  await page.reload();
  await expect(main).toContainText("Nothing more until you open the inquiries.");
  await expectNothingFound(page, "an alert that was told");
  const [link = ""] = /https?:\/\/\S+/.exec(text) ?? [];
  await page.goto(link);
  await expect(page.getByText("grace@example.com").first()).toBeVisible();
  // A page does not wait long for what it records in passing.
  await expect(async () => {
    await page.goto("/admin/alerts");
    await expect(main).toContainText("New inquiries");
    await expect(main).not.toContainText("Nothing more until you open the inquiries.", { timeout: 500 });
  }).toPass();
});

test("alerts fit a small screen @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin/alerts");
  for (const width of [360, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  }
});
