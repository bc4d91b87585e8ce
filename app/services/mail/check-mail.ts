import type { Mail } from "./mailer";

/**
 * What every driver refuses before it speaks to anyone (hardening C18, C19). A mail library is lenient where this must
 * not be: nodemailer 10.6 mails `a@x\r\nBcc: e@x` to e@x, both of `a@x, e@x`, and the content of `{ path }`.
 */

/** dot-atom of RFC 5322, section 3.2.3; quoted local parts are valid there and refused here. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
/** RFC 5321, section 4.5.3.1, and RFC 1035, section 2.3.4. */
const LONGEST = { localPart: 64, domainLabel: 63, address: 254 };

// eslint-disable-next-line no-control-regex -- NUL is one of the three characters that end or cut a header.
const BREAKS_A_HEADER = /[\r\n\0]/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
/** Fields the drivers write themselves; a second one would add recipients or contradict the first. */
const OWN_HEADERS = /^(?:from|sender|to|cc|bcc|subject|date|message-id|mime-version|content-.*|resent-.*)$/i;
/** The msg-id of RFC 5322, section 3.6.4, without comments or quoted parts. */
const MESSAGE_ID = /^<[!-;=?A-~]+@[!-;=?A-~]+>$/;

/** Whether the value is exactly one plain ASCII address: no name, list, group, quotes, comment or white space. */
export function isPlainAddress(value: unknown): value is string {
  if (typeof value !== "string" || value.length > LONGEST.address) return false;
  const [localPart = "", domain = "", ...more] = value.split("@");
  const labels = domain.split(".");
  return (
    more.length === 0 &&
    localPart.length <= LONGEST.localPart &&
    LOCAL_PART.test(localPart) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= LONGEST.domainLabel && DOMAIN_LABEL.test(label))
  );
}

/**
 * Trusts no type: what a form or a queue hands over may have any shape.
 * @throws TypeError naming the field, never its value, for a mail that breaks the port's contract.
 */
export function checkMail(mail: Mail): void {
  for (const [field, party] of [
    ["from", mail.from],
    ["to", mail.to],
  ] as const) {
    if (!isPlainAddress(party.address))
      throw new TypeError(`${field}.address must be one plain e-mail address`);
    checkHeaderText(`${field}.name`, party.name);
  }
  checkHeaderText("subject", mail.subject);
  checkHeaderText("messageId", mail.messageId);
  if (!MESSAGE_ID.test(mail.messageId)) throw new TypeError("messageId must look like <id@host>");
  for (const [name, value] of Object.entries(mail.headers)) {
    if (!HEADER_NAME.test(name) || OWN_HEADERS.test(name))
      throw new TypeError("headers holds a name that is not allowed");
    checkHeaderText(`headers.${name}`, value);
  }
  if (typeof mail.text !== "string") throw new TypeError("text must be a string");
  if (typeof mail.html !== "string") throw new TypeError("html must be a string");
}

function checkHeaderText(field: string, value: unknown): void {
  if (typeof value !== "string") throw new TypeError(`${field} must be a string`);
  if (BREAKS_A_HEADER.test(value)) throw new TypeError(`${field} must not contain a line break or NUL`);
}
