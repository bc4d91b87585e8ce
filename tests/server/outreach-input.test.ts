import { describe, expect, it } from "vitest";
import { startSmtpServer } from "../fakes/smtp-server";
import { waitUntil } from "../wait-until";
import { getLocation, getSearch, useOutreachScreens } from "./outreach-screens";
import { readRows, submit } from "./visitors";
import { useServer } from "./use-server";
import { useFixture } from "../fixture";

const smtp = useFixture(() => startSmtpServer());
const screens = useOutreachScreens(useServer(() => smtp.environment));

/** Returns the lines of an email's header field, with continuation lines joined. */
function getHeaderLines(raw: Buffer, name: string): string[] {
  const head = raw.toString("latin1").split("\r\n\r\n")[0] ?? "";
  return head
    .replace(/\r\n[ \t]/g, " ")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
}

// C19
describe("the address of a test email", () => {
  const toFields = (testAddress: string) => ({ testAddress });
  it.each<[string, Record<string, string>]>([
    ["two addresses", toFields("a@example.com, e@example.com")],
    ["nothing", toFields("")],
    ["an array", { "testAddress[]": "a@example.com" }],
    ["an object", { "testAddress[path]": "/etc/hostname" }],
  ])("is refused with 422, and nothing is sent, for %s", async (_, fields) => {
    expect((await screens.press("test", { testAddress: "", ...fields })).status).toBe(422);
    expect(smtp.connections()).toBe(0);
  });

  it("is refused with 422, and nothing is sent, when its field is sent twice", async () => {
    const form = new URLSearchParams({
      intent: "test",
      audience: "early-access",
      title: "Hi",
      message: "Hi",
    });
    for (const address of ["a@example.com", "e@example.com"]) form.append("testAddress", address);
    expect((await screens.post("/admin/dashboard", form)).status).toBe(422);
    expect(smtp.connections()).toBe(0);
  });

  it.each([
    ["the message as an object", { "message[path]": "/etc/hostname", message: "" }],
    ["the title as an object", { "title[href]": "file:///etc/hostname" }],
  ])("sends no file for %s", async (_, fields) => {
    await screens.press("send", fields);
    expect(smtp.connections()).toBe(0);
    expect(JSON.stringify(readRows(screens.server, "select * from campaigns"))).not.toContain("hostname");
  });

  it("gets exactly one email when it is plain", async () => {
    const answer = await screens.press("test", toFields("  a@example.com "));
    expect(getLocation(answer)).toMatch(/notice=test-sent/);
    expect(smtp.emails.map(({ to }) => to)).toEqual([["a@example.com"]]);
    expect(smtp.rcptTo).toEqual(["a@example.com"]);
  });
});

// C18
describe("the title of an email", () => {
  it.each(["test", "send", "preview", "edit"])(
    "is refused with 422 for a line break, by the button %s",
    async (intent) => {
      const before = smtp.rcptTo.length;
      for (const lineBreak of ["\r\n", "\n", "\r"]) {
        const fields = { title: `Hi${lineBreak}Bcc: e@example.com`, testAddress: "a@example.com" };
        expect((await screens.press(intent, fields)).status).toBe(422);
      }
      expect(smtp.rcptTo).toHaveLength(before);
    },
  );

  it.each([
    ["a vertical tab", "Hi\vBcc: e@example.com"],
    ["a next-line character", "Hi\u0085Bcc: e@example.com"],
    ["a line separator", "Hi\u2028Bcc: e@example.com"],
    ["an encoded line break", "=?utf-8?Q?Hi=0D=0ABcc:_e@example.com?="],
  ])("with %s makes no second header and no second recipient", async (_, title) => {
    const before = smtp.emails.length;
    const answer = await screens.press("test", { title, testAddress: "a@example.com" });
    expect([303, 422]).toContain(answer.status);
    for (const { to, raw } of smtp.emails.slice(before)) {
      expect(to).toEqual(["a@example.com"]);
      expect(getHeaderLines(raw, "Subject")).toHaveLength(1);
      expect(getHeaderLines(raw, "Bcc")).toEqual([]);
    }
    expect(smtp.rcptTo).not.toContain("e@example.com");
  });

  it("with a visitor's name makes no second header either", async () => {
    await screens.signUp("eve@example.com", "Eve\u0085Bcc: e@example.com\u2028To: f@example.com");
    const before = smtp.emails.length;
    const draft = await screens.createDraft({ title: "Hello {{name}}" });
    expect(getSearch(await screens.confirm(draft)).get("send")).toBe(draft);
    await waitUntil(() => smtp.emails.length > before);
    const [{ to, raw } = { to: [], raw: Buffer.of() }, ...others] = smtp.emails.slice(before);
    expect(others).toEqual([]);
    expect(to).toEqual(["eve@example.com"]);
    for (const header of ["Subject", "To", "From"]) expect(getHeaderLines(raw, header)).toHaveLength(1);
    expect(getHeaderLines(raw, "Bcc")).toEqual([]);
  });

  it.each([
    ["a tab, as between the cells of a table", "We\topen"],
    ["a line separator", "We\u2028open"],
  ])("with %s has a space there, and can be sent", async (_, title) => {
    const draft = getSearch(await screens.press("send", { title })).get("draft") ?? "";
    expect(getSearch(await screens.confirm(draft)).get("send")).toBe(draft);
    expect(screens.getCampaign(draft)?.title).toBe("We open");
    await screens.waitForState(draft, "finished");
  });
});

it.each([
  ["a draft", "/admin/dashboard", { intent: "save", audience: "early-access" }],
  ["a template", "/admin/templates/new", { intent: "create", name: "Balloons" }],
  ["an automatic email", "/admin/automatic/welcome", { intent: "save" }],
])("a message of 20,000 characters of any script is saved as %s", async (_, path, fields) => {
  const message = "🎈".repeat(20_000);
  const texts = { title: "We open", subject: "Welcome", message, format: "markdown" };
  const answer = await screens.post(path, { ...fields, ...texts });
  expect([answer.status, getSearch(answer).get("notice")]).toEqual([303, expect.stringMatching(/saved$/)]);
});

// R13
describe("the panel's hidden fields", () => {
  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "nothing", ""])(
    "cause no server error by the button %j, which does not exist",
    async (intent) => {
      const before = smtp.rcptTo.length;
      expect((await screens.press(intent, { testAddress: "a@example.com" })).status).toBeLessThan(500);
      expect(smtp.rcptTo).toHaveLength(before);
    },
  );

  it.each(["", "x", "\0", "../..", "x".repeat(3000), "😀"])(
    "cause no server error by the draft %j",
    async (draft) => {
      for (const intent of ["edit", "confirm"]) {
        const fields = { draft, content: "x", through: "-1", counted: "-1" };
        expect((await screens.press(intent, fields)).status).toBeLessThan(500);
      }
    },
  );
});

// C20
it("a test email is the first recipient's, marked as a test", async () => {
  await submit(screens.server, "/contact", { fullName: "Dee Moore", email: "dee@example.com" });
  const before = smtp.emails.length;
  await screens.press("test", {
    testAddress: "a@example.com",
    audience: "contact-form",
    title: "Hello",
    message: "Dear {{name}}, hello.",
  });
  const [email, ...more] = smtp.emails.slice(before);
  expect([email?.to, more]).toEqual([["a@example.com"], []]);
  const { subject, text } = (await email?.parse()) ?? {};
  expect(subject).toBe("[Test] Hello");
  expect(text).toContain("Dear Dee Moore, hello.");
  expect(text).toContain("because dee@example.com asked");
  expect(text).toMatch(/\/unsubscribe\/preview\b/);
  expect(getHeaderLines(email!.raw, "List-Unsubscribe")).toEqual([]);
});

it("a test email without a title has the default subject, and comes from the team", async () => {
  await screens.press("test", { title: "", testAddress: "ada@example.com" });
  const raw = smtp.emails.at(-1)?.raw.toString("latin1");
  expect(raw).toMatch(/^Subject: Test Email from Confer\r$/m);
  expect(raw).toMatch(/^From: The Confer team </m);
});

it("a campaign is for one of three groups", async () => {
  const [, select = ""] =
    /<select[^>]*name="audience"[^>]*>(.*?)<\/select>/s.exec(await screens.read("/admin/dashboard")) ?? [];
  expect([...select.matchAll(/<option[^>]*>([^<]*)</g)].map(([, value]) => value)).toEqual([
    "early-access",
    "contact-form",
    "updates-signup",
  ]);
});

it("the preview shows five recipients and counts the others", async () => {
  const people = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name}@updates.example`);
  for (const email of people) await submit(screens.server, "/updates", { name: email, email });
  const shown = await screens.press("preview", { audience: "updates-signup" });
  const html = await screens.read(getLocation(shown));
  expect(people.filter((email) => html.includes(`${email}</li>`))).toHaveLength(5);
  expect(html).toContain("And 2 more recipients...");
});
