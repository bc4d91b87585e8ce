import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startSmtpServer } from "../fakes/smtp-server";
import type { RunningSmtpServer } from "../fakes/smtp-server";
import { getConfirmFields } from "../question-fields";
import { formPost, logIn, startServer } from "../server-process";
import type { ServerProcess } from "../server-process";
import { BEHIND_A_PROXY, rowsOf, signUp, someone, stampOfAPerson } from "./visitors";

let smtp: RunningSmtpServer;
let server: ServerProcess;
let cookie: string;
beforeAll(async () => {
  smtp = await startSmtpServer();
  server = await startServer({ ...BEHIND_A_PROXY, MAIL_DRIVER: "smtp", SMTP_URL: smtp.url });
});
afterAll(async () => {
  await server.remove();
  await smtp.close();
});
beforeEach(async () => {
  cookie = await logIn(server, undefined, someone());
});

const panel = { audience: "early-access", title: "Hello", message: "A message." };

/** Presses a button of the panel. */
const press = (intent: string, fields: Record<string, string> | URLSearchParams = {}) => {
  const form = new URLSearchParams({ ...panel, intent });
  for (const name of new Set(new URLSearchParams(fields).keys())) form.delete(name);
  for (const [name, value] of new URLSearchParams(fields)) form.append(name, value);
  return server.fetch("/admin/dashboard", formPost(form, { Cookie: cookie }));
};

/** Lines of a mail's header field, continuation lines included. */
function headerLines(raw: Buffer, name: string): string[] {
  const head = raw.toString("latin1").split("\r\n\r\n")[0] ?? "";
  return head
    .replace(/\r\n[ \t]/g, " ")
    .split(/\r\n|\r|\n/)
    .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
}

describe("the address of a test email (C19)", () => {
  const field = (value: string) => ({ testAddress: value });
  const twice = new URLSearchParams([
    ["testAddress", "a@example.com"],
    ["testAddress", "e@example.com"],
  ]);
  it.each<[string, Record<string, string> | URLSearchParams]>([
    ["a line break and a Bcc", field("a@example.com\r\nBcc: e@example.com")],
    ["two addresses", field("a@example.com, e@example.com")],
    ["two addresses with a semicolon", field("a@example.com;e@example.com")],
    ["a group", field("g:a@example.com,b@example.com;")],
    ["a quoted local part", field('"u@g x"@example.com')],
    ["a name and an address", field("Ada <a@example.com>")],
    ["a comment", field("a@example.com(e@example.com)")],
    ["a NUL", field("a@example.com\0")],
    ["a path", field("/etc/hostname")],
    ["nothing", field("")],
    ["the field twice", twice],
    ["an array", { "testAddress[]": "a@example.com" }],
    ["an object", { "testAddress[path]": "/etc/hostname" }],
  ])("is refused with 422, and nothing is sent, for %s (C19)", async (_, fields) => {
    expect((await press("test", fields)).status).toBe(422);
    expect(smtp.rcptTo).toEqual([]);
    expect(smtp.connections()).toBe(0);
  });

  it.each([
    ["the message as an object", { "message[path]": "/etc/hostname", message: "" }],
    ["the title as an object", { "title[href]": "file:///etc/hostname" }],
  ])("sends no file for %s (C19)", async (_, fields) => {
    await press("send", fields);
    expect(smtp.connections()).toBe(0);
    expect(JSON.stringify(rowsOf(server, "select * from campaigns"))).not.toContain("hostname");
  });

  it("gets exactly one email when it is plain (C19)", async () => {
    const answer = await press("test", field("  a@example.com "));
    expect(answer.headers.get("Location")).toMatch(/notice=test-sent/);
    expect(smtp.mails.map(({ to }) => to)).toEqual([["a@example.com"]]);
    expect(smtp.rcptTo).toEqual(["a@example.com"]);
  });
});

describe("the title of an email (C18)", () => {
  it.each(["test", "send", "preview", "edit"])(
    "is refused with 422 for a line break, by the button %s (C18)",
    async (intent) => {
      const before = smtp.rcptTo.length;
      for (const lineBreak of ["\r\n", "\n", "\r"]) {
        const fields = { title: `Hi${lineBreak}Bcc: e@example.com`, testAddress: "a@example.com" };
        expect((await press(intent, fields)).status).toBe(422);
      }
      expect(smtp.rcptTo).toHaveLength(before);
    },
  );

  it.each([
    ["a vertical tab", "Hi\vBcc: e@example.com"],
    ["a next-line character", "Hi\u0085Bcc: e@example.com"],
    ["a line separator", "Hi\u2028Bcc: e@example.com"],
    ["an encoded line break", "=?utf-8?Q?Hi=0D=0ABcc:_e@example.com?="],
  ])("with %s makes no second header and no second recipient (C18)", async (_, title) => {
    const before = smtp.mails.length;
    const answer = await press("test", { title, testAddress: "a@example.com" });
    expect([303, 422]).toContain(answer.status);
    for (const { to, raw } of smtp.mails.slice(before)) {
      expect(to).toEqual(["a@example.com"]);
      expect(headerLines(raw, "Subject")).toHaveLength(1);
      expect(headerLines(raw, "Bcc")).toEqual([]);
    }
    expect(smtp.rcptTo).not.toContain("e@example.com");
  });

  it("with a visitor's name makes no second header either (C18)", async () => {
    const stamp = await stampOfAPerson(server);
    const name = "Eve\u0085Bcc: e@example.com\u2028To: f@example.com";
    await signUp(server, { stamp, name, email: "eve@example.com" }, someone());
    const before = smtp.mails.length;
    const search = async (answer: Response) =>
      new URL(answer.headers.get("Location") ?? "", server.origin).searchParams;
    const draft = (await search(await press("send", { title: "Hello {{name}}" }))).get("draft") ?? "";
    const question = await getConfirmFields(server, { Cookie: cookie }, draft);
    expect((await search(await press("confirm", question))).get("send")).toBe(draft);
    await vi.waitUntil(() => smtp.mails.length > before, { timeout: 10_000 });
    const [{ to, raw } = { to: [], raw: Buffer.of() }, ...others] = smtp.mails.slice(before);
    expect(others).toEqual([]);
    expect(to).toEqual(["eve@example.com"]);
    for (const header of ["Subject", "To", "From"]) expect(headerLines(raw, header)).toHaveLength(1);
    expect(headerLines(raw, "Bcc")).toEqual([]);
  });
});

describe("the panel's hidden fields (R13)", () => {
  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "nothing", ""])(
    "cause no server error by the button %j, which does not exist (R13)",
    async (intent) => {
      const before = smtp.rcptTo.length;
      expect((await press(intent, { testAddress: "a@example.com" })).status).toBeLessThan(500);
      expect(smtp.rcptTo).toHaveLength(before);
    },
  );

  it.each([
    ["no draft", ""],
    ["an unknown draft", "x"],
    ["a NUL for a draft", "\0"],
    ["a path for a draft", "../.."],
    ["a long draft", "x".repeat(3000)],
    ["an emoji for a draft", "😀"],
  ])("cause no server error by %s (R13)", async (_, draft) => {
    for (const intent of ["edit", "confirm"]) {
      const answer = await press(intent, { draft, content: "x", through: "-1", counted: "-1" });
      expect(answer.status).toBeLessThan(500);
    }
  });
});

it("a test email is the email of the first recipient, marked as a test, with nobody's unsubscribe link (C20)", async () => {
  const stamp = await stampOfAPerson(server);
  const inquiry = {
    fullName: "Dee Moore",
    email: "dee@example.com",
    inquiryType: "general",
    message: "May I?",
  };
  await server.fetch("/contact", formPost({ ...inquiry, website: "", stamp }, someone()));
  const before = smtp.mails.length;
  await press("test", {
    testAddress: "a@example.com",
    audience: "contact-form",
    message: "Dear {{name}}, hello.",
  });
  const [mail, ...more] = smtp.mails.slice(before);
  expect([mail?.to, more]).toEqual([["a@example.com"], []]);
  const { subject, text } = (await mail?.parse()) ?? {};
  expect(subject).toBe("[Test] Hello");
  expect(text).toContain("Dear Dee Moore, hello.");
  expect(text).toContain("because dee@example.com asked");
  expect(text).toMatch(/\/unsubscribe\/preview\b/);
  expect(headerLines(mail!.raw, "List-Unsubscribe")).toEqual([]);
});
