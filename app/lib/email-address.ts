/**
 * One plain address, as browsers check type=email, with a dot in the host. No comments, groups or quoted parts, and no
 * beginning of an encoded word (RFC 2047), which an email client could decode (hardening C44).
 */
const PLAIN =
  /^(?![^@]*=\?)[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** The longest address that a mail server must accept: RFC 5321, 4.5.3.1.3, less the angle brackets. */
export const EMAIL_MAX_LENGTH = 254;

/** Returns whether the text is exactly one deliverable address (hardening C19). */
export function isPlainAddress(value: string): boolean {
  return value.length <= EMAIL_MAX_LENGTH && PLAIN.test(value);
}

const ASCII = /^[\0-\x7f]*$/;
/** Characters without a visible form that copying brings along: zero-width ones, soft hyphens, direction marks. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** A host name in which only letters, digits, hyphens and dots are ASCII: nothing that a URL would end it with. */
const HOST_NAME = /^[^\0-,/:-@[-`{-\x7f]{1,254}$/u;

/**
 * Returns an address in the form in which it is judged, stored and compared (hardening R47, R48): without invisible
 * characters and with its domain in ASCII (UTS 46): `ada@xn--mller-kva.example` where an umlaut was typed. Some browsers
 * send this form, others what was typed. Anything else, such as a letter outside ASCII before the @, stays.
 */
export function toAsciiAddress(typed: string): string {
  if (ASCII.test(typed)) return typed;
  const visible = typed.replace(INVISIBLE, "").trim();
  const at = visible.lastIndexOf("@");
  const domain = visible.slice(at + 1);
  if (at < 0 || ASCII.test(domain) || !HOST_NAME.test(domain)) return visible;
  const host = URL.parse(`http://${domain}`)?.hostname;
  return host ? visible.slice(0, at + 1) + host : visible;
}

/**
 * Returns the first character outside ASCII before the @ of an address, else undefined. Mail servers accept one only
 * with an extension (RFC 6531) that few have.
 */
export function findForeignCharacter(address: string): string | undefined {
  return /^[^@\x7f-\u{10ffff}]*([^@\0-\x7f])[^@]*@[^@]+$/u.exec(address)?.[1];
}

/** Normalises an address for comparison: as toAsciiAddress does, trimmed and in lower case. */
export function emailKey(address: string): string {
  return toAsciiAddress(address).trim().toLowerCase();
}

/** What makes the text before or after an address a part of it. Rarer signs of a local part count as quotation marks. */
const GOES_BEFORE = "[\\p{L}\\p{N}][.+_-]?";
const GOES_AFTER = "[.-]?[\\p{L}\\p{N}]";

/** Returns what a regular expression matches an address with. */
const toLiteral = (address: string) => address.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Checks whether a text has an address, in any case: not as a part of a longer one, such as `ann@` of `joann@`. */
export function hasAddress(text: string, address: string): boolean {
  return new RegExp(`(?<!${GOES_BEFORE})${toLiteral(address)}(?!${GOES_AFTER})`, "iu").test(text);
}

/**
 * Replaces an address in a text, in any case. Also where it may be a part of a longer one, because a mail server's reply
 * can have anything beside it, as in `550-ann@example.com`.
 */
export function replaceAddress(text: string, address: string, replacement: string): string {
  return text.replace(new RegExp(toLiteral(address), "giu"), () => replacement);
}
