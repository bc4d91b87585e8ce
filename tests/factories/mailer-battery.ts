import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { AUTOMATIC_HEADERS, BULK_HEADERS } from "~/services/mail/email-headers";
import type { Email, Mailer } from "~/services/mail/mailer";
import { createEmail } from "./email";

interface MailerRig {
  mailer: Mailer;
  /** Lists emails as they arrived: the message, and the envelope's recipients where there is an envelope. */
  arrived(): Promise<{ raw: string; recipients: readonly string[] }[]>;
}

/** Tests the contract of Mailer, which every driver keeps. */
export function describeMailer(name: string, make: () => Promise<MailerRig>): void {
  describe(`${name}, as every mailer`, () => {
    it("delivers an email with both parts", async () => {
      const { mailer, arrived } = await make();
      expect(await mailer.send(createEmail())).toMatchObject({ kind: "accepted" });
      const [only, ...more] = await arrived();
      const parsed = await PostalMime.parse(only?.raw ?? "");
      expect(more).toEqual([]);
      expect(only?.recipients).toEqual(["ada@example.test"]);
      expect(parsed).toMatchObject({
        from: { name: "The team", address: "team@frontdesk.test" },
        to: [{ name: "Ada Lovelace", address: "ada@example.test" }],
        subject: "News of the engine",
      });
      expect(parsed.text?.trim()).toBe("Dear Ada,\n.\nit runs.");
      expect(parsed.html?.trim()).toBe("<p>Dear Ada, <b>it runs</b>.</p>");
      expect(only?.raw).toMatch(/^Date: /m);
    });

    it("keeps the Message-ID and the headers as they are, on one line each", async () => {
      const { mailer, arrived } = await make();
      const unsubscribe = `<https://frontdesk.test/unsubscribe/${"a".repeat(150)}>`;
      const oneClick = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
      const headers = { "List-Unsubscribe": unsubscribe, ...oneClick };
      await mailer.send(createEmail({ messageId: "<0192-kept@frontdesk.test>", headers }));
      const lines = (await arrived())[0]?.raw.split("\r\n");
      expect(lines).toContain("Message-ID: <0192-kept@frontdesk.test>");
      expect(lines).toContain(`List-Unsubscribe: ${unsubscribe}`);
      expect(lines).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    });

    it("says what it answers, where replies go, and that a program sent it", async () => {
      const { mailer, arrived } = await make();
      const conversation = {
        replyTo: "replies@frontdesk.test",
        inReplyTo: "<second@example.test>",
        references: ["<first@example.test>", "<second@example.test>"],
        autoSubmitted: "auto-replied",
      } as const;
      await mailer.send(createEmail(conversation));
      const parsed = await PostalMime.parse((await arrived())[0]?.raw ?? "");
      expect(parsed).toMatchObject({
        replyTo: [{ address: conversation.replyTo }],
        inReplyTo: conversation.inReplyTo,
        references: conversation.references.join(" "),
      });
      const written = parsed.headers.find(({ key }) => key === "auto-submitted");
      expect(written?.value).toBe("auto-replied");
    });

    // R51
    it.each([
      ["automatic", AUTOMATIC_HEADERS],
      ["bulk", BULK_HEADERS],
    ])("writes the headers of %s emails as they are", async (_, headers) => {
      const { mailer, arrived } = await make();
      await mailer.send(createEmail({ headers }));
      const parsed = await PostalMime.parse((await arrived())[0]?.raw ?? "");
      const written = Object.entries(headers).map(([name, value]) => ({ key: name.toLowerCase(), value }));
      expect(parsed.headers).toEqual(
        expect.arrayContaining(written.map((one) => expect.objectContaining(one))),
      );
    });

    it("carries names and subjects of every script, quotes and long ones included", async () => {
      const { mailer, arrived } = await make();
      const name = 'Zoë "Z" <z@evil.test>, 王';
      const subject = `Grüße 🙂 ${"long ".repeat(60).trim()}`;
      await mailer.send(
        createEmail({ to: { name, address: "zoe@example.test" }, subject, text: "Grüße 🙂" }),
      );
      const parsed = await PostalMime.parse((await arrived())[0]?.raw ?? "");
      expect(parsed.to).toEqual([{ name, address: "zoe@example.test" }]);
      expect(parsed.subject).toBe(subject);
      expect(parsed.text?.trim()).toBe("Grüße 🙂");
    });

    // C44
    it.each([
      ["an encoded word", "=?utf-8?Q?Visit_evil=2Eexample=2Fprize?="],
      ["one in base64", "=?UTF-8?B?VmlzaXQgZXZpbC5leGFtcGxl?="],
      ["one with a language", "=?utf-8*en?q?evil=2Eexample?="],
      ["one of another character set", "=?iso-8859-1?Q?evil=2Eexample?="],
      ["two, which a reader joins", "=?utf-8?Q?evil=2E?= =?utf-8?Q?example?="],
      ["one within one", "=?utf-8?Q?=3D=3Futf-8=3FQ=3Fevil=3F=3D?="],
      ["one among words", `Dear =?utf-8?Q?evil=2Eexample?=, ${"and so on ".repeat(20).trim()}`],
      ["one beside quotes", '"Ada" =?utf-8?Q?evil=2Eexample?= \\'],
      ["one beside other scripts", "Grüße =?utf-8?Q?evil=2Eexample?= 王"],
      ["one longer than a line", `=?utf-8?Q?${"evil=2Eexample=2F".repeat(20)}?=`],
      ["half of one", "=?utf-8?Q?evil=2Eexample"],
      ["its beginning", "a =? b"],
    ])("shows %s in a name or subject as it was typed", async (_, text) => {
      const { mailer, arrived } = await make();
      const team = "team@frontdesk.test";
      const email = createEmail({
        from: { name: text, address: team },
        to: { name: text, address: "ada@example.test" },
        subject: text,
      });
      expect(await mailer.send(email)).toMatchObject({ kind: "accepted" });
      const parsed = await PostalMime.parse((await arrived())[0]?.raw ?? "");
      expect(parsed.subject).toBe(text);
      expect(parsed.to).toEqual([{ name: text, address: "ada@example.test" }]);
      expect(parsed.from).toEqual({ name: text, address: team });
    });

    const injected = "Hi\r\nBcc: e@x.test";
    // C18
    it.each<[string, Partial<Email>]>([
      ["the subject", { subject: injected }],
      ["a bare line feed in the subject", { subject: "Hi\nBcc: e@x.test" }],
      ["a NUL in the subject", { subject: "Hi\0" }],
      ["the recipient's name", { to: { name: injected, address: "ada@example.test" } }],
      ["the sender's name", { from: { name: injected, address: "team@frontdesk.test" } }],
      ["a header's value", { headers: { "X-Note": injected } }],
      ["a header's name", { headers: { "X-Note: 1\r\nBcc": "e@x.test" } }],
      ["a second recipient header", { headers: { Bcc: "e@x.test" } }],
      ["the Message-ID", { messageId: "<a@x.test>\r\nBcc: e@x.test" }],
      ["a Message-ID without brackets", { messageId: "a@x.test" }],
      ["the address for replies", { replyTo: "a@x.test, e@x.test" }],
      ["the Message-ID of what it answers", { inReplyTo: "<a@x.test>\r\nBcc: e@x.test" }],
      ["one of the references", { references: ["<a@x.test>", "e@x.test"] }],
      ["why a program sent it", { autoSubmitted: injected as "auto-replied" }],
      ["a second header of its own", { headers: { "Reply-To": "e@x.test" } }],
    ])("refuses a header injected by %s", async (_where, change) => {
      const { mailer, arrived } = await make();
      await expect(mailer.send(createEmail(change))).rejects.toThrow(TypeError);
      expect(await arrived()).toEqual([]);
    });

    // C19
    it.each<[string, unknown]>([
      ["a list", "a@x.test, e@x.test"],
      ["an array", ["a@x.test"]],
      ["an object", { address: "a@x.test" }],
      ["undefined", undefined],
    ])("refuses %s as the recipient", async (_what, address) => {
      const { mailer, arrived } = await make();
      const person = { name: "", address: address as string };
      await expect(mailer.send(createEmail({ to: person }))).rejects.toThrow(TypeError);
      await expect(mailer.send(createEmail({ from: person }))).rejects.toThrow(TypeError);
      expect(await arrived()).toEqual([]);
    });

    // C19
    it.each(["html", "text", "subject"] as const)("refuses an object as the %s", async (field) => {
      const { mailer, arrived } = await make();
      // A mail library may send the file.
      const content = { path: "/etc/hostname" } as unknown as string;
      await expect(mailer.send(createEmail({ [field]: content }))).rejects.toThrow(TypeError);
      expect(await arrived()).toEqual([]);
    });

    it("sends many emails at once and loses none", async () => {
      const { mailer, arrived } = await make();
      const emails = Array.from({ length: 40 }, (_, at) =>
        createEmail({ to: { name: "", address: `p${at}@example.test` } }),
      );
      const outcomes = await Promise.all(emails.map((each) => mailer.send(each)));
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["accepted"]));
      const recipients = (await arrived()).flatMap((each) => each.recipients);
      expect(recipients.sort()).toEqual(emails.map((each) => each.to.address).sort());
    });
  });
}
