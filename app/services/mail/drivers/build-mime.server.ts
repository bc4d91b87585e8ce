import MailComposer from "nodemailer/lib/mail-composer";
import type { Mail } from "../mailer";

/** A line of RFC 5322 holds at most 998 characters; name, colon and space need their share. */
const UNFOLDED_VALUE = /^[ -~]{1,900}$/;

/**
 * The complete RFC 5322 message, multipart/alternative with the text first, lines ended by CRLF. The caller has checked
 * the mail. No file and no URL named in it is read (hardening C19).
 * @param date of the Date header; now when left out.
 */
export function buildMime(mail: Mail, date?: Date): Promise<Buffer> {
  const composer = new MailComposer({
    from: { ...mail.from },
    to: { ...mail.to },
    subject: mail.subject,
    messageId: mail.messageId,
    date,
    text: mail.text,
    html: mail.html,
    headers: Object.fromEntries(Object.entries(mail.headers).map(([name, value]) => [name, exactly(value)])),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** A long URL would be folded onto a second line, which is valid and yet not read by every List-Unsubscribe reader. */
function exactly(value: string) {
  return UNFOLDED_VALUE.test(value) ? { prepared: true, value } : value;
}
