import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, openSignedIn, signUp, test } from "./product";

const FILE = [
  "Email Address;First Name;Last Name;Signed up;Status",
  "ada@example.com;Ada;Lovelace;03/04/2024;subscribed",
  "grace@example.com;Grace;Hopper;05/06/2024;subscribed",
  "known@example.com;Somebody;Else;05/06/2024;subscribed",
  "gone@example.com;Gone;;05/06/2024;unsubscribed",
  "ada@example.com;Ada;Again;05/06/2024;subscribed",
  "nobody;No;Body;05/06/2024;subscribed",
  "zoe@example.com;Zo\xeb;\xc5ngstr\xf6m;05/06/2024;subscribed",
].join("\n");

test("people of another product are mapped, checked, imported and undone", async ({ page, product }) => {
  await signUp(product, { name: "Known Person", email: "known@example.com", company: "" });
  await openSignedIn(page, product, "/admin/people");
  await page.getByRole("link", { name: "Import people" }).click();
  await expect(page.getByRole("heading", { name: "No imports yet" })).toBeVisible();
  await expectNothingFound(page, "the empty imports");

  await page.getByLabel("CSV file").setInputFiles({
    name: "old-list.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(FILE, "latin1"),
  });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("7 lines, separated by semicolon.")).toBeVisible();
  await expect(page.getByLabel("Encoding")).toHaveValue("windows-1252");
  await expect(page.getByRole("cell", { name: "Ångström" })).toBeVisible();
  await expect(page.getByLabel("Signed up at")).toHaveValue("3");
  await expectNothingFound(page, "the columns of a file");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "the columns of a file on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });

  const consent = page.getByLabel("Where does their consent come from?");
  await consent.fill("Signed up on our old site.");
  for (const [encoding, name] of [
    ["windows-1250", "Ĺngström"],
    ["windows-1252", "Ångström"],
  ] as const) {
    await page.getByLabel("Encoding").selectOption(encoding);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByRole("cell", { name })).toBeVisible();
    await expect(consent).toHaveValue("Signed up on our old site.");
  }
  await page.getByRole("button", { name: "Check the lines" }).click();
  await expect(page.getByText("Please choose whether the day or the month comes first")).toBeVisible();
  await expect(consent).toHaveValue("Signed up on our old site.");
  await page.getByLabel("What comes first").selectOption("dmy");
  await page.getByRole("button", { name: "Check the lines" }).click();

  const start = page.getByRole("button", { name: "Import 3 people" });
  await expect(start).toBeVisible({ timeout: 30_000 });
  for (const figure of ["Lines 7", "New 3", "Known 1", "Suppressed 1", "Invalid 1", "Duplicate 1"]) {
    await expect(page.getByRole("link", { name: figure })).toBeVisible();
  }
  await expectNothingFound(page, "a dry run");
  await page.setViewportSize({ width: 360, height: 800 });
  await expectNothingFound(page, "a dry run on a small screen", ONE_THEME);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("link", { name: "Invalid 1" }).click();
  await expect(page.getByText("This is not an email address.")).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the rest" }).click();
  expect((await download).suggestedFilename()).toMatch(/^import-rest-\d{4}-\d\d-\d\d\.csv$/);

  await start.click();
  const done = page.getByText("3 people were imported and 1 address added to the suppression list.");
  await expect(done).toBeVisible({ timeout: 30_000 });
  await expectNothingFound(page, "a finished import");
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  await expect(page.getByText("Signed up on our old site.")).toBeVisible();
  await page.getByRole("link", { name: "old-list.csv" }).click();

  await page.getByRole("link", { name: "Undo the import" }).click();
  const question = page.getByRole("dialog", { name: "Undo this import?" });
  await expect(question).toContainText("3 people");
  await question.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: its people")).toBeVisible({ timeout: 30_000 });
  await page.goto("/admin/people");
  await expect(page.getByText("1 person.")).toBeVisible();
});
