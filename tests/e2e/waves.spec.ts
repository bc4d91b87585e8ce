import type { Page } from "@playwright/test";
import { bearer, makeToken } from "../server/made-tokens";
import type { ServerProcess } from "../server-process";
import { expectNothingFound, ONE_THEME } from "./axe";
import { expect, expectToBeTold, openSignedIn, signUp, test, writeEmail } from "./product";

test.use({ settings: { INVITE_URL: "https://app.example.com/join?code={code}" } });

const PEOPLE = [
  { name: "Ada Lovelace", email: "ada@example.com" },
  { name: "Grace Hopper", email: "grace@example.com" },
  { name: "Alan Turing", email: "alan@example.com" },
];

/** Where the link of an invitation leads. */
async function follow(page: Page, link: string) {
  const answer = await page.request.get(link, { maxRedirects: 0 });
  return [answer.status(), answer.headers().location] as const;
}

async function call(product: ServerProcess, token: string, path: string, body: object) {
  const answer = await product.fetch(`/api/invitations/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...bearer(token) },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

test("a text that invites is counted as a wave while it is written @js", async ({ page, product }) => {
  for (const person of PEOPLE) await signUp(product, person);
  await openSignedIn(page, product, "/admin/dashboard");
  const panel = await writeEmail(page, "It is your turn", "Come in.");
  const line = panel.locator("summary").filter({ hasText: "Narrow down" });
  await expect(panel.getByText("Draft saved")).toBeVisible();
  await expect(line).toContainText("Everybody in this group");
  await panel.getByLabel("Email Message").fill("Come in: {{invite_link}}");
  await expect(line).toContainText("3 people");
});

test("an operator lets people in by waves, and the application knows who", async ({
  page,
  product,
  smtp,
}) => {
  for (const person of PEOPLE) await signUp(product, person);
  await openSignedIn(page, product, "/admin/dashboard");
  const getLink = async (address: string) => {
    const email = await smtp.emails.findLast((one) => one.to.includes(address))!.parse();
    return /https?:\/\/\S+\/i\/[\w.-]+/.exec(String(email.text))?.[0] ?? "";
  };

  let panel = await writeEmail(page, "It is your turn, {{first_name}}", "Come in: {{invite_link}}");
  await panel.locator("summary").filter({ hasText: "Narrow down" }).click();
  await panel.getByLabel("At most", { exact: true }).fill("2");
  await panel.getByRole("button", { name: "Send Email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm Email Send" });
  await expect(dialog).toContainText("This is a wave: 2 people get an invitation each.");
  await dialog.getByRole("button", { name: "Yes, Send Email" }).click();
  await expect(page.getByText("Emails sent successfully").first()).toBeVisible();
  expect(smtp.deliveries.map(({ address }) => address).toSorted()).toEqual([
    "ada@example.com",
    "grace@example.com",
  ]);

  // The application checks a code, lets Ada in, and says so.
  const ofAda = await getLink("ada@example.com");
  const code = ofAda.split("/").at(-1)!;
  for (let time = 0; time < 2; time += 1) {
    expect(await follow(page, ofAda)).toEqual([302, `https://app.example.com/join?code=${code}`]);
  }
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const token = await makeToken(product, cookie, { scopes: ["invitations:write"] });
  expect(await call(product, token, "verify", { code })).toMatchObject({
    valid: true,
    name: "Ada Lovelace",
    wave: 1,
  });
  expect(await call(product, token, "joined", { code, email: "ada@example.org" })).toMatchObject({
    new: true,
  });
  expect(await call(product, token, "joined", { email: "alan@example.com" })).toMatchObject({ wave: null });
  await page.goto(ofAda);
  await expect(page.getByRole("heading", { name: "You have joined already" })).toBeVisible();

  await page.goto("/admin/outreach");
  await expect(page.getByText("Wave 1 of early-access").first()).toBeVisible();
  await page.getByRole("link", { name: "It is your turn" }).first().click();
  const wave = page.getByRole("region", { name: "People of this wave" });
  await expect(wave.getByRole("heading", { name: "Wave 1" })).toBeVisible();
  await expect(wave.getByRole("listitem")).toHaveText([
    /Reserved\s*0/,
    /Invited\s*1/,
    /Joined\s*1/,
    /Undeliverable\s*0/,
  ]);
  const bars = page.getByRole("list", { name: /how far the people of this wave came/ });
  await expect(bars.getByRole("listitem")).toHaveText([
    /^People2$/,
    /^Confirmed0.0% of people0$/,
    /^Invited100.0% of people2$/,
    /^Joined50.0% of invited1$/,
  ]);
  await expectNothingFound(page, "the page of a wave");
  await wave.getByRole("link", { name: /Joined/ }).click();
  await page.getByRole("link", { name: "Ada Lovelace" }).click();
  await expect(page.getByText("with another address: ada@example.org")).toBeVisible();

  // Grace's link is revoked, and replaced.
  const ofGrace = await getLink("grace@example.com");
  await page.goto("/admin/people?invitation=invited");
  await page.getByRole("link", { name: "Grace Hopper" }).click();
  const facts = page.getByRole("region", { name: "At a glance" });
  await expect(facts).toContainText(/Invited .* in Wave 1/);
  await facts.getByRole("link", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke invitation" }).click();
  await expectToBeTold(page, "The invitation was revoked.");
  expect(await follow(page, ofGrace)).toEqual([410, undefined]);
  await facts.getByRole("link", { name: "Send again" }).click();
  await expectNothingFound(page, "the question before an invitation is sent again", ONE_THEME);
  await page.getByRole("button", { name: "Send again" }).click();
  await expectToBeTold(page, "The invitation is sent again, with a new link.");
  await expect.poll(() => smtp.emails.length).toBe(3);
  expect((await follow(page, await getLink("grace@example.com")))[0]).toBe(302);
  await page.goto(ofGrace);
  await expect(page.getByText("This invitation was ended or replaced.")).toBeVisible();
  await expectNothingFound(page, "a link that is no longer valid");

  // Everybody has an invitation, or has joined without one.
  await page.goto("/admin/dashboard");
  panel = await writeEmail(page, "Again", "Come in: {{invite_link}}");
  await panel.getByRole("button", { name: "Send Email" }).click();
  await expectToBeTold(page, "Nobody in this group can get this email yet");
});
