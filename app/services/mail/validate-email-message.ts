import { isPlainAddress } from "~/lib/email-address";
import type { Email } from "./mailer";

/** Besides CR and LF, NUL too ends or truncates a header in transit. */
const BREAKS_A_HEADER = /[\r\n\0]/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
/** Headers the drivers set themselves; a second one would add recipients or contradict the first. */
const OWN_HEADERS = /^(?:from|sender|to|cc|bcc|subject|date|message-id|mime-version|content-.*|resent-.*)$/i;
/** msg-id of RFC 5322, section 3.6.4, without comments or quoted parts. */
const MESSAGE_ID = /^<[!-;=?A-~]+@[!-;=?A-~]+>$/;

/**
 * Validates an email as every driver does before it sends, without trusting its type (hardening C18, C19): nodemailer
 * 10.6 sends `a@x\r\nBcc: e@x` to e@x, `a@x, e@x` to both, and reads the content of `{ path }`.
 * @throws TypeError naming the field, never its value, for an email that breaks the port's contract.
 */
export function validateEmailMessage(email: Email): void {
  for (const field of ["from", "to"] as const) {
    const { address, name } = email[field];
    const isOneAddress = typeof address === "string" && isPlainAddress(address);
    if (!isOneAddress) throw new TypeError(`${field}.address must be one plain e-mail address`);
    checkHeaderText(`${field}.name`, name);
  }
  checkHeaderText("subject", email.subject);
  checkHeaderText("messageId", email.messageId);
  if (!MESSAGE_ID.test(email.messageId)) throw new TypeError("messageId must look like <id@host>");
  for (const [name, value] of Object.entries(email.headers)) {
    const isAllowed = HEADER_NAME.test(name) && !OWN_HEADERS.test(name);
    if (!isAllowed) throw new TypeError("headers holds a name that is not allowed");
    checkHeaderText(`headers.${name}`, value);
  }
  if (typeof email.text !== "string") throw new TypeError("text must be a string");
  if (typeof email.html !== "string") throw new TypeError("html must be a string");
}

function checkHeaderText(field: string, value: unknown): void {
  if (typeof value !== "string") throw new TypeError(`${field} must be a string`);
  if (BREAKS_A_HEADER.test(value)) throw new TypeError(`${field} must not contain a line break or NUL`);
}
