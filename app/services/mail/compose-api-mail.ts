import { oneLine } from "./mail-sheet";
import type { Mail } from "./mailer";

export interface ApiMail {
  readonly to: string;
  readonly subject: string;
  /** The whole HTML body; one that the program wrote goes out as it came. */
  readonly html: string;
  /** Undefined when only the HTML is known. */
  readonly text: string | undefined;
  readonly sender: { readonly name: string; readonly address: string };
  /** With angle brackets. */
  readonly messageId: string;
}

/**
 * A mail another program asked for. Where it wrote the HTML, the text part says where the content is and makes none of it
 * up: what a text cut out of foreign HTML says is a guess, and where the two parts differ people read one thing and filters
 * another (docs/decisions/0020). No unsubscribe link: its reader is on no list of ours.
 */
export function composeApiMail({ to, html, text, sender, messageId, ...mail }: ApiMail): Mail {
  const subject = oneLine(mail.subject);
  return {
    messageId,
    from: sender,
    to: { name: "", address: to },
    subject,
    text:
      text ?? `${subject}\n\nThis mail was written in HTML. Please open it in a program that shows HTML.\n`,
    html,
    headers: {},
  };
}
