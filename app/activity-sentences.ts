import type { AuditAction } from "./services/audit/audit.server";

/** How a deed can have ended. */
export const outcomes = { ok: "Done", refused: "Refused", failed: "Failed" } as const;
export type Outcome = keyof typeof outcomes;

/** What it is called in a list, and what is said of who did it, for each outcome it is written down with. */
interface Wording extends Partial<Record<Outcome, string>> {
  readonly name: string;
}

/**
 * Every kind of deed in words; {subject} is what it was done to. A new AuditAction without its wording does not compile.
 * The subject stands at most once.
 */
const wordings = {
  login: { name: "Login", ok: "logged in", refused: "could not log in as {subject}" },
  logout: { name: "Logout", ok: "logged out" },
  "throttle-password": {
    name: "Password tries stopped",
    refused: "was held back after too many password tries for {subject}",
  },
  "throttle-form": {
    name: "Forms stopped",
    refused: "was held back after too many forms of the kind {subject}",
  },
  "deny-access": { name: "Access denied", refused: "was not let into {subject}" },
  "end-session": { name: "Session ended", ok: "ended another session of their own: {subject}" },
  "end-other-sessions": {
    name: "Other sessions ended",
    ok: "ended all their other sessions: {subject}",
  },
  "export-activity": { name: "Activity exported", ok: "took a copy of the activity: {subject}" },
  "change-password": {
    name: "Password change",
    ok: "changed their password",
    refused: "gave a wrong current password",
  },
  "create-superadmin": { name: "First superadmin", ok: "made the first superadmin, {subject}" },
  "send-test-mail": {
    name: "Test mail",
    ok: "sent a test mail to {subject}",
    failed: "could not send a test mail to {subject}",
  },
  "confirm-outreach": { name: "Send confirmed", ok: "confirmed the send {subject}" },
  "pause-outreach": { name: "Send paused", ok: "paused the send {subject}" },
  "resume-outreach": { name: "Send resumed", ok: "let the send {subject} go on" },
  "cancel-outreach": { name: "Send cancelled", ok: "cancelled the send {subject}" },
  "decide-uncertain": {
    name: "Uncertain mails decided",
    ok: "decided about the uncertain mails of {subject}",
  },
  "retry-failed": { name: "Failed mails retried", ok: "had the failed mails of {subject} tried again" },
  "add-account": {
    name: "Account added",
    ok: "added the account {subject}",
    refused: "was not allowed to add the account {subject}",
  },
  "remove-account": {
    name: "Account removed",
    ok: "removed the account {subject}",
    refused: "was not allowed to remove the account {subject}",
  },
  "reissue-password": {
    name: "Password reissued",
    ok: "gave {subject} a new temporary password",
    refused: "was not allowed to give {subject} a new temporary password",
  },
  "release-quarantined": { name: "Quarantine released", ok: "released from quarantine: {subject}" },
  "purge-quarantined": { name: "Quarantine purged", ok: "purged from quarantine: {subject}" },
  "confirm-signup": { name: "Signup confirmed", ok: "confirmed the signup of {subject}" },
  unsubscribe: { name: "Unsubscribed", ok: "took {subject} off the mailing list" },
} as const satisfies Record<AuditAction, Wording>;

/** The kinds of deeds in words, for a choice. */
export const deedNames: readonly { action: string; name: string }[] = Object.entries(wordings).map(
  ([action, { name }]) => ({ action, name }),
);

/** A sentence around what it is about; `subject` is undefined where the sentence does not name it. */
export interface Sentence {
  readonly actor: string;
  readonly before: string;
  readonly subject: string | undefined;
  readonly after: string;
}

interface SentenceParts {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: Outcome;
  /** What is said instead of the subject's id. */
  readonly sendTitle?: string | undefined;
}

/** "Ada confirmed the send Hello". A deed this program does not know is said as it stands. */
export function sentenceOf({ actor, action, subject, outcome, sendTitle }: SentenceParts): Sentence {
  const known: Readonly<Record<string, Wording>> = wordings;
  const wording = Object.hasOwn(known, action) ? known[action]?.[outcome] : undefined;
  const [before = "", after] = (wording ?? `${action}: {subject}`).split("{subject}");
  return {
    actor: actorName(actor),
    before,
    subject: after === undefined ? undefined : (sendTitle ?? (subject || "(no address)")),
    after: after ?? "",
  };
}

/** Who did it: an account by its address, or one of the two that are none. */
export function actorName(actor: string): string {
  if (actor === "visitor") return "A visitor";
  return actor === "system" ? "The server" : actor;
}

/** The same sentence as one text. */
export function sentenceText(parts: SentenceParts): string {
  const { actor, before, subject = "", after } = sentenceOf(parts);
  return `${actor} ${before}${subject}${after}`;
}
