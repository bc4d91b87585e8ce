import MailComposer from "nodemailer/lib/mail-composer";
import type { Email } from "../mailer";

/** Values that fit on one header line: RFC 5322 allows 998 characters, less the name, colon and space. */
const UNFOLDED_VALUE = /^[ -~]{1,900}$/;

/**
 * Builds the complete RFC 5322 message of a validated email, multipart/alternative with the text part first. No file
 * and no URL named in it is read (hardening C19).
 * @param date Date header; the current time when omitted.
 */
export async function buildMime(email: Email, date = new Date()): Promise<Buffer> {
  const { from, to, subject, text, html, messageId, replyTo, inReplyTo, references, autoSubmitted } = email;
  // What holds "=?" is encoded below, because nodemailer would send it as it is.
  const headers = { ...(autoSubmitted && { "Auto-Submitted": autoSubmitted }), ...email.headers };
  const composer = new MailComposer({
    headers: Object.entries(headers).map(([key, value]) => ({ key, value: toHeaderValue(value) })),
    from: looksEncoded(from.name) ? undefined : { ...from },
    to: looksEncoded(to.name) ? undefined : { ...to },
    subject: looksEncoded(subject) ? undefined : subject,
    messageId,
    replyTo,
    inReplyTo,
    references: references && [...references],
    date,
    text,
    html,
    // Lines cannot grow too long, and the .eml file stays mostly readable.
    encoding: "quoted-printable",
    textEncoding: "Q",
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const encodedHeaders = [
    looksEncoded(from.name) ? `From: ${encodeWords(from.name)} <${from.address}>\r\n` : "",
    looksEncoded(to.name) ? `To: ${encodeWords(to.name)} <${to.address}>\r\n` : "",
    looksEncoded(subject) ? `Subject: ${encodeWords(subject)}\r\n` : "",
  ];
  return Buffer.concat([Buffer.from(encodedHeaders.join("")), await composer.compile().build()]);
}

/**
 * Keeps a value on one line: a folded URL is valid, but not every List-Unsubscribe reader parses it. A value with "=?" is
 * encoded, which may fold it; none of our headers has that.
 */
function toHeaderValue(value: string) {
  if (!UNFOLDED_VALUE.test(value)) return value;
  return { prepared: true, foldLines: false, value: looksEncoded(value) ? encodeWords(value) : value };
}

/**
 * Returns whether a text holds "=?", the beginning of an encoded word (RFC 2047). nodemailer sends such ASCII text as it is,
 * so that a reader would decode what somebody typed, `=?utf-8?Q?evil=2Eexample?=`, into a link in our name (hardening
 * C44); it is encoded here instead.
 */
function looksEncoded(text: string): boolean {
  return text.includes("=?");
}

/** Encodes a text as encoded words, each shorter than the 75 characters that a word may have, one a line. */
function encodeWords(text: string): string {
  const parts = text.match(/.{1,10}/gsu) ?? [];
  return parts.map((part) => `=?UTF-8?B?${Buffer.from(part).toString("base64")}?=`).join("\r\n ");
}
