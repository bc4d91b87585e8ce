/**
 * Header of every email that a program sends, so that Exchange's out-of-office programs do not answer it (hardening
 * R51); for others `autoSubmitted` of the email says so.
 */
export const AUTOMATIC_HEADERS = { "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply" };

/** The same for emails to many: older mailing programs and out-of-office replies go by it (RFC 2076, section 3.9). */
export const BULK_HEADERS = { ...AUTOMATIC_HEADERS, Precedence: "bulk" };

/** Replaces line breaks, control and direction-changing characters by one space. */
export function toHeaderText(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, " ").trim();
}
