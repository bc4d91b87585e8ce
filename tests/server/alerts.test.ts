import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSmtpServer } from "../fakes/smtp-server";
import { becomeAdmin, getRedirect } from "./operators";
import { readText, type Session } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { execute, readRows, submit } from "./visitors";

const PAGE = "/admin/alerts";
const LIST = "/admin/submissions/contact-form?status=open";
const CHOICES = {
  intent: "choose",
  inquiry: "off",
  campaign: "off",
  incident: "off",
  summary: "off",
  hour: "8",
};

const smtp = await startSmtpServer();
const server = useServer(smtp.environment);
const superadmin = useSuperadmin(server);
let ada: Session;
afterAll(() => smtp.close());

beforeAll(async () => {
  ada = await becomeAdmin(server, superadmin.cookie, "ada@example.com");
});

const choose = (person: Session, choices: Record<string, string>) =>
  person.post(PAGE, { ...CHOICES, ...choices });

/** Sends an inquiry. */
async function inquire(name: string): Promise<void> {
  const email = `${name.toLowerCase()}@example.org`;
  expect((await submit(server, "/contact", { fullName: name, email, message: "A secret" })).status).toBe(303);
}

/** Reads the emails that arrived for an address. */
async function readEmails(address: string) {
  const parsed = await Promise.all(smtp.emails.map((email) => email.parse()));
  return parsed.filter(({ to }) => JSON.stringify(to).includes(address));
}
const countEmails = async (address: string) => (await readEmails(address)).length;
const isTold = () => readRows(server, "select 1 from alerts where told_at is not null").length === 1;

describe("alerts", () => {
  it("are chosen by a form, and found again", async () => {
    expect(await ada.read(PAGE)).toContain("Everybody chooses for themselves");
    const chosen = await choose(ada, { inquiry: "at-once", summary: "daily", hour: "17" });
    expect(getRedirect(chosen)).toEqual([303, `${PAGE}?notice=alerts-saved`]);
    const page = await ada.read(`${PAGE}?notice=alerts-saved`);
    expect(page).toContain("Your alerts were saved.");
    expect(page).toMatch(/<option value="at-once" selected="">At once/);
    expect(page).toMatch(/<option value="17" selected="">17:00/);
    expect(await superadmin.read(PAGE)).not.toMatch(/<option value="at-once" selected=""/);
    expect(await superadmin.read("/admin/activity")).toContain("changed what they are told about");
  });

  it("with a value that is none are refused, and the other choices kept", async () => {
    const html = await readText(choose(ada, { inquiry: "weekly", campaign: "daily", hour: "24" }), 422);
    expect(html).toContain("Your alerts stay as they are");
    expect(html).toContain("Please choose one of these.");
    expect(html).toContain("Please choose an hour.");
    expect(html).toMatch(/<option value="daily" selected="">/);
    expect(readRows(server, "select inquiry, hour from alert_choices")).toEqual([
      { inquiry: "at-once", hour: 17 },
    ]);
  });

  it("tell by email, and no more until the page is opened", async () => {
    await inquire("Grace");
    await expect.poll(() => countEmails("ada@example.com"), { timeout: 15_000 }).toBe(1);
    const [email] = await readEmails("ada@example.com");
    expect(email?.subject).toBe("1 new inquiry");
    expect(email?.text).toContain("From Grace.");
    expect(email?.text).toContain(LIST);
    expect(email?.text).not.toMatch(/secret|grace@/);
    expect(await ada.read(PAGE)).toContain("Nothing more until you open the inquiries.");

    await inquire("Alan");
    await superadmin.read(LIST);
    expect(isTold()).toBe(true);
    await ada.read(LIST);
    await expect.poll(isTold).toBe(false);
    expect(await ada.read(PAGE)).not.toContain("Nothing more until you open the inquiries.");
    await inquire("Edsger");
    await expect.poll(() => countEmails("ada@example.com"), { timeout: 15_000 }).toBe(2);
    expect((await readEmails("ada@example.com"))[1]?.text).toContain("From Edsger.");
  });

  it("are tried by a test, whose answer the page shows", async () => {
    expect(getRedirect(await superadmin.post(PAGE, { intent: "test" }))).toEqual([
      303,
      `${PAGE}?notice=test-email-accepted`,
    ]);
    const page = await superadmin.read(PAGE);
    expect(page).toContain("Last test");
    expect(page).toContain("accepted by the mail server");
    expect((await readEmails("superadmin@example.com"))[0]?.subject).toMatch(/^Test of your alerts from /);
  });

  it("to a suppressed address are not sent, which the page says", async () => {
    execute(
      server,
      `insert into suppressions (id, address, email_key, reason, detail, opted_out, created_at)
        values ('x', ?, ?, 'added', '', 0, 1) `,
      "superadmin@example.com",
      "superadmin@example.com",
    );
    expect(await superadmin.read(PAGE)).toContain("is on the suppression list, so you get no alerts");
    expect(getRedirect(await superadmin.post(PAGE, { intent: "test" }))).toEqual([
      303,
      `${PAGE}?notice=test-email-refused`,
    ]);
    expect(await superadmin.read(PAGE)).toContain("not sent: the address is on the suppression list");
  });

  it("that are refused for good are told on every page and explained on their own", async () => {
    const MARK = "An alert was not delivered";
    expect(await ada.read("/admin/dashboard")).not.toContain(MARK);
    execute(
      server,
      "update transactional_emails set state = 'failed', detail = '550 No such user' where kind = 'alert'",
    );
    expect(await ada.read("/admin/dashboard")).toContain(MARK);
    expect(await superadmin.read("/admin/dashboard")).not.toContain(MARK);
    const page = await ada.read(PAGE);
    expect(page).toContain("did not reach you: it was refused by the mail server: 550 No such user");
    expect(getRedirect(await ada.post(PAGE, { intent: "test" }))).toEqual([
      303,
      `${PAGE}?notice=test-email-accepted`,
    ]);
    expect(await ada.read(PAGE)).not.toContain("did not reach you");
    expect(await ada.read("/admin/dashboard")).not.toContain(MARK);
  });
});
