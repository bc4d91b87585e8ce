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

/** Normalises an address for comparison: trimmed and in lower case. */
export function emailKey(address: string): string {
  return address.trim().toLowerCase();
}
