import type { Email } from "~/services/mail/mailer";

let made = 0;
/** Makes a valid email, with the fields of `change` in place. */
export function createEmail(change: Partial<Email> = {}): Email {
  made += 1;
  return {
    messageId: `<email-${made}@frontdesk.test>`,
    from: { name: "The team", address: "team@frontdesk.test" },
    to: { name: "Ada Lovelace", address: "ada@example.test" },
    subject: "News of the engine",
    text: "Dear Ada,\n.\nit runs.",
    html: "<p>Dear Ada, <b>it runs</b>.</p>",
    headers: {},
    ...change,
  };
}
