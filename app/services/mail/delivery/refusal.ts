import type { RefusedPart } from "../mailer";

/**
 * Judges permanent refusals of a mail server. To suppress an address is irreversible for its owner, so only a clear
 * statement about the mailbox does; a reply that may be about us (our network, our sender, our message, a policy)
 * does not. In doubt the email failed and the address stays.
 */

/** What a permanent refusal is about. "unclear": its text does not say, like "550 Requested action not taken". */
export type RefusalSubject = "mailbox" | "other" | "unclear";

/** Enhanced statuses (RFC 3463, RFC 7505) about the mailbox: no such mailbox or host, moved, null MX, disabled. */
const MAILBOX_STATUS = /^5\.(?:1\.(?:[1-46]|10)|2\.1)$/;
/** A status anywhere in the reply, as in "550 5.1.1 ..." or "... (#5.1.1)", and no part of a network address. */
const STATUS = /(?<![\w.])5\.\d{1,3}\.\d{1,3}(?!\.?\w)/g;

/** Phrases of servers without enhanced statuses. */
const MAILBOX_WORDS = new RegExp(
  [
    String.raw`\bno such (?:local )?(?:user|recipient|mailbox|person|account)\b`,
    String.raw`\bno mailbox (?:here )?by that name\b`,
    String.raw`\b(?:unknown|invalid|non-?existent) (?:local )?(?:user|recipient|mailbox)\b`,
    String.raw`\b(?:user|recipient|mailbox)(?: is)? (?:unknown|not found|disabled|invalid)\b`,
    String.raw`\b(?:user|recipient|mailbox|account)\b.{0,40}\b(?:does not|doesn't) exist\b`,
  ].join("|"),
  "i",
);

/** Words that make it doubtful whether the mailbox is at fault, whatever else the reply says. */
const OTHER_WORDS = new RegExp(
  String.raw`\b(?:${[
    // Our sender, network and rights.
    String.raw`senders?|sending|originat\w*|mail from|(?:return|reverse)[ -]?path|passwords?|credentials?|connections?`,
    String.raw`(?:helo|ehlo|ptr|rdns)|reverse dns|clients?|your (?:account|ip|server|host|network|domain|message|mail)`,
    String.raw`relay(?:ing|ed)?|(?:un)?auth\w*|login|permission|permitted|allowed|denied|prohibit\w*|administrative\w*`,
    // Their judgement about us or the message.
    String.raw`spf|dkim|dmarc|spam\w*|junk|virus|malware|content|phish\w*|reputation|polic(?:y|ies)|bann?ed|restrict\w*`,
    String.raw`surbl|uribl|unsolicited|bulk|suspicious|suspected|forged`,
    String.raw`block\w*|black-?list\w*|deny-?list\w*|dnsbl|rbl|barracuda\w*|spoof\w*|verif\w*|callout`,
    // Temporary states, and failures of theirs.
    String.raw`dns|ldap|quota|full|rate|too many|limit\w*|tempor\w*|later|gr[ea]y-?list\w*|busy`,
  ].join("|")})\b`,
  "i",
);

const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;

/** Leaves the reply's words: addresses, URLs and host names may contain any word. */
function removeNames(reply: string): string {
  const words = reply.split(/[^\w.@:/'#-]+/);
  return words
    .filter((word) => !word.includes("@") && !word.includes("://") && !HOST_NAME.test(word))
    .join(" ");
}

/** Returns what the text of a permanent refusal is about, wherever it was given. */
export function getRefusalSubject(reply: string): RefusalSubject {
  const text = removeNames(reply);
  if (OTHER_WORDS.test(text)) return "other";
  const statuses = listStatuses(text);
  if (statuses.length > 0)
    return statuses.every((status) => MAILBOX_STATUS.test(status)) ? "mailbox" : "other";
  return MAILBOX_WORDS.test(text) ? "mailbox" : "unclear";
}

/**
 * Returns whether a permanent refusal suppresses its recipient: a clear statement about the mailbox in response to RCPT
 * TO, the only moment at which nothing but the address is judged. A driver that sees no such moment (`part` undefined)
 * needs an enhanced status, because words in an HTTP response may be about anything.
 */
export function refusesMailbox({
  part,
  detail,
}: {
  part?: RefusedPart | undefined;
  detail: string;
}): boolean {
  if (part === "message" || getRefusalSubject(detail) !== "mailbox") return false;
  return part === "recipient" || hasStatus(detail);
}

/** Returns whether a reply has an enhanced status, so that its subject is not judged by words alone. */
export const hasStatus = (reply: string): boolean => listStatuses(removeNames(reply)).length > 0;

const listStatuses = (text: string): readonly string[] => text.match(STATUS) ?? [];
