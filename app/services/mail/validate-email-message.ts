import { isPlainAddress } from "~/lib/email-address";
import type { Email } from "./mailer";

/** Besides CR and LF, NUL too ends or truncates a header in transit. */
const BREAKS_A_HEADER = /[\r\n\0]/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
/** Headers the drivers set themselves; a second one would add recipients or contradict the first. */
const OWN_HEADERS =
  /^(?:from|sender|reply-to|to|cc|bcc|subject|date|message-id|in-reply-to|references|auto-submitted|mime-version|content-.*|resent-.*)$/i;
const AUTO_SUBMITTED: readonly unknown[] = ["auto-generated", "auto-replied", undefined];
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
  checkMessageId("messageId", email.messageId);
  const { replyTo, inReplyTo, references, autoSubmitted } = email;
  if (replyTo !== undefined && !(typeof replyTo === "string" && isPlainAddress(replyTo))) {
    throw new TypeError("replyTo must be one plain e-mail address");
  }
  if (inReplyTo !== undefined) checkMessageId("inReplyTo", inReplyTo);
  if (references !== undefined && !Array.isArray(references))
    throw new TypeError("references must be a list");
  for (const id of references ?? []) checkMessageId("references", id);
  if (!AUTO_SUBMITTED.includes(autoSubmitted)) throw new TypeError("autoSubmitted is not of RFC 3834");
  for (const [name, value] of Object.entries(email.headers)) {
    const isAllowed = HEADER_NAME.test(name) && !OWN_HEADERS.test(name);
    if (!isAllowed) throw new TypeError("headers holds a name that is not allowed");
    checkHeaderText(`headers.${name}`, value);
  }
  if (typeof email.text !== "string") throw new TypeError("text must be a string");
  if (typeof email.html !== "string") throw new TypeError("html must be a string");
}

function checkMessageId(field: string, value: unknown): void {
  checkHeaderText(field, value);
  if (!MESSAGE_ID.test(value)) throw new TypeError(`${field} must look like <id@host>`);
}

function checkHeaderText(field: string, value: unknown): asserts value is string {
  if (typeof value !== "string") throw new TypeError(`${field} must be a string`);
  if (BREAKS_A_HEADER.test(value)) throw new TypeError(`${field} must not contain a line break or NUL`);
}
