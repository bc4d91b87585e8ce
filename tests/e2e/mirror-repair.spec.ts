import { getSheetsEnvironment, SPREADSHEETS } from "../factories/google-workspace";
import { startWorkspace, type Workspace } from "../fakes/google-workspace";
import { Tab } from "../fakes/spreadsheet-grid";
import { submit } from "../server/visitors";
import { agedStamp, expect, expectToBeTold, signIn, test as base } from "./product";

const test = base.extend<{ google: Workspace; tab: Tab }>({
  tab: async ({}, use) => use(new Tab()),
  google: async ({ tab }, use) => {
    const google = await startWorkspace();
    for (const { id } of Object.values(SPREADSHEETS)) google.spreadsheet(id, [new Tab()]);
    google.spreadsheet(SPREADSHEETS["early-access"].id, [tab]);
    await use(google);
    await google.close();
  },
  ownSettings: async ({ google }, use) => use(getSheetsEnvironment(google)),
});

test("what was changed in a sheet by hand is written again, and who was added there is taken over @js", async ({
  page,
  product,
  tab,
}) => {
  const stamp = agedStamp();
  await signIn(page, product);
  for (const name of ["Ada", "Grace"]) {
    await submit(product, "/early-access", { name, email: `${name.toLowerCase()}@example.com`, stamp });
  }
  const emails = () => tab.allRows.slice(1).map((row) => row[1]);
  await expect.poll(emails, { timeout: 20_000 }).toEqual(["ada@example.com", "grace@example.com"]);

  const [heading = [], ada = []] = tab.allRows;
  tab.write(2, 1, [heading.map(() => "typed over")], true);
  tab.write(4, 1, [ada.map((cell) => cell.replaceAll("Ada", "Mary").replace("ada@", "mary@"))], true);

  const copy = page.getByRole("article", { name: "Early access" });
  await page.goto("/admin/mirrors");
  await copy.getByRole("link", { name: "Repair the copy of Early access" }).click();
  const question = page.getByRole("dialog", { name: "Repair the copy of Early access?" });
  await expect(question).toContainText("What was typed over them is lost there");
  await question.getByRole("button", { name: "Repair" }).click();
  await expectToBeTold(page, "The repair begins within a second.");

  await expect
    .poll(emails, { timeout: 20_000 })
    .toEqual(["ada@example.com", "grace@example.com", "mary@example.com"]);
  await expect(async () => {
    await page.goto("/admin/mirrors");
    await expect(copy).toContainText("In sync", { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await page.goto("/admin/submissions/early-access");
  await expect(page.getByText("mary@example.com").first()).toBeVisible();
});
