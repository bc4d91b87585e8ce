import type { AuditAction } from "~/services/audit/audit.server";

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
  "throttle-push": {
    name: "Push registrations stopped",
    refused: "was held back after too many devices for push messages",
  },
  "deny-access": { name: "Access denied", refused: "was not let into {subject}" },
  "end-session": { name: "Session ended", ok: "ended another session of their own: {subject}" },
  "end-other-sessions": {
    name: "Other sessions ended",
    ok: "ended all their other sessions: {subject}",
  },
  "export-activity": { name: "Activity exported", ok: "took a copy of the activity: {subject}" },
  "export-logs": { name: "Log exported", ok: "took a copy of the log: {subject}" },
  "delete-logs": {
    name: "Log deleted",
    ok: "deleted the log: {subject}",
    failed: "asked to delete the log, and nothing was deleted",
  },
  "change-password": {
    name: "Password change",
    ok: "changed their password",
    refused: "gave a wrong current password",
  },
  "turn-on-second-factor": {
    name: "Two-factor login on",
    ok: "turned on two-factor login",
    refused: "gave a wrong password to turn on two-factor login",
  },
  "turn-off-second-factor": {
    name: "Two-factor login off",
    ok: "turned off two-factor login",
    refused: "gave a wrong password to turn off two-factor login",
  },
  "reset-second-factor": {
    name: "Two-factor login reset",
    ok: "reset the two-factor login of {subject}",
    refused: "was not allowed to reset the two-factor login of {subject}",
  },
  "second-factor-code": {
    name: "Wrong code",
    refused: "gave a wrong authentication or recovery code for {subject}",
  },
  "throttle-second-factor": {
    name: "Code tries stopped",
    refused: "was held back after too many wrong codes for {subject}",
  },
  "use-recovery-code": { name: "Recovery code used", ok: "used up a recovery code" },
  "renew-recovery-codes": { name: "Recovery codes renewed", ok: "made new recovery codes" },
  "create-superadmin": { name: "First superadmin", ok: "made the first superadmin, {subject}" },
  "send-test-mail": {
    name: "Test mail",
    ok: "sent a test mail to {subject}",
    failed: "could not send a test mail to {subject}",
    refused: "was kept from sending a test mail to {subject}, who gets no mail",
  },
  "confirm-outreach": { name: "Send confirmed", ok: "confirmed the send {subject}" },
  "pause-outreach": { name: "Send paused", ok: "paused the send {subject}" },
  "resume-outreach": { name: "Send resumed", ok: "let the send {subject} go on" },
  "begin-outreach": { name: "Send begun at once", ok: "had the send {subject} begin at once" },
  "reschedule-outreach": { name: "Send rescheduled", ok: "changed the scheduled time of the send {subject}" },
  "cancel-outreach": { name: "Send cancelled", ok: "cancelled the send {subject}" },
  "decide-uncertain": {
    name: "Uncertain mails decided",
    ok: "decided about the uncertain mails of {subject}",
  },
  "retry-failed": { name: "Failed mails retried", ok: "had the failed mails of {subject} tried again" },
  "export-recipients": { name: "Recipients exported", ok: "took a copy of the recipients of {subject}" },
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
  "export-submissions": { name: "Submissions exported", ok: "took a copy of submissions: {subject}" },
  "delete-submissions": { name: "Submissions deleted", ok: "deleted {subject}" },
  "restore-submissions": { name: "Submissions brought back", ok: "brought back {subject}" },
  "export-person": { name: "Person exported", ok: "took a copy of all that is kept about {subject}" },
  "erase-person": { name: "Person erased", ok: "erased a person and all that they sent: {subject}" },
  "confirm-signup": { name: "Signup confirmed", ok: "confirmed the signup of {subject}" },
  "create-token": { name: "API token made", ok: "made the API token {subject}" },
  "revoke-token": { name: "API token revoked", ok: "revoked the API token {subject}" },
  "deny-token": { name: "API call refused", refused: "was refused at the API: {subject}" },
  "throttle-token": {
    name: "API tries stopped",
    refused: "was held back after too many calls of the API with tokens that do not work",
  },
  "throttle-calls": {
    name: "API calls stopped",
    refused: "was held back after too many calls with the API token {subject}",
  },
  "send-api-mail": {
    name: "Mail by the API",
    ok: "sent a mail through the API to {subject}",
    refused: "was not allowed to mail through the API to {subject}",
    failed: "could not send a mail through the API to {subject}",
  },
  "add-suppression": { name: "Address suppressed", ok: "put {subject} on the suppression list" },
  "import-suppressions": {
    name: "Suppressions imported",
    ok: "imported into the suppression list: {subject}",
  },
  "release-suppressed": { name: "Suppression released", ok: "released from the suppression list: {subject}" },
  "export-suppressions": {
    name: "Suppressions exported",
    ok: "took a copy of the suppression list: {subject}",
  },
  "receive-bounces": { name: "Bounces received", ok: "suppressed what bounced or complained: {subject}" },
  "confirm-broadcast": { name: "Broadcast confirmed", ok: "confirmed the push notification {subject}" },
  "pause-broadcast": { name: "Broadcast paused", ok: "paused the push notification {subject}" },
  "resume-broadcast": { name: "Broadcast resumed", ok: "let the push notification {subject} go on" },
  "accept-refusals": {
    name: "Gone devices removed",
    ok: "had the devices removed that are gone, and the push notification {subject} go on",
  },
  "cancel-broadcast": { name: "Broadcast cancelled", ok: "cancelled the push notification {subject}" },
  "retry-broadcast": {
    name: "Failed devices retried",
    ok: "had the push notification {subject} tried again on the devices it failed on",
  },
  "ask-platform-again": {
    name: "Platform asked again",
    ok: "had the platform asked again for the push notification {subject}",
  },
  "stop-broadcast": { name: "Broadcast stopped", failed: "stopped the push notification {subject}" },
  "export-devices": { name: "Devices exported", ok: "took a copy of the devices of {subject}" },
  "send-test-push": {
    name: "Test notification",
    ok: "sent a test notification to their own browser",
    failed: "could not send a test notification to their own browser",
  },
  "import-tenants": { name: "Companies imported", ok: "imported companies: {subject}" },
  "import-from-mirror": { name: "Spreadsheet taken over", ok: "took over from the spreadsheet: {subject}" },
  "repair-mirror": { name: "Mirror repair", ok: "had the copy of {subject} repaired" },
  "retry-mirror": { name: "Mirror tried again", ok: "had the copy of {subject} tried again" },
  "decide-mirror-row": { name: "Mirror row decided", ok: "decided about a row of the copy of {subject}" },
  unsubscribe: { name: "Unsubscribed", ok: "took {subject} off the mailing list" },
} as const satisfies Record<AuditAction, Wording>;

/** The order in which a filter offers the actions. Every action is in one of them. */
const groups: Readonly<Record<string, readonly AuditAction[]>> = {
  "Logins and sessions": [
    "login",
    "logout",
    "deny-access",
    "end-session",
    "end-other-sessions",
    "throttle-password",
    "change-password",
    "turn-on-second-factor",
    "turn-off-second-factor",
    "reset-second-factor",
    "second-factor-code",
    "throttle-second-factor",
    "use-recovery-code",
    "renew-recovery-codes",
  ],
  Accounts: ["create-superadmin", "add-account", "remove-account", "reissue-password"],
  Submissions: [
    "confirm-signup",
    "throttle-form",
    "release-quarantined",
    "purge-quarantined",
    "export-submissions",
    "delete-submissions",
    "restore-submissions",
    "export-person",
    "erase-person",
  ],
  Campaigns: [
    "send-test-mail",
    "confirm-outreach",
    "pause-outreach",
    "resume-outreach",
    "begin-outreach",
    "reschedule-outreach",
    "cancel-outreach",
    "decide-uncertain",
    "retry-failed",
    "export-recipients",
  ],
  "Suppression list": [
    "unsubscribe",
    "receive-bounces",
    "add-suppression",
    "import-suppressions",
    "release-suppressed",
    "export-suppressions",
  ],
  Notifications: [
    "throttle-push",
    "send-test-push",
    "confirm-broadcast",
    "pause-broadcast",
    "resume-broadcast",
    "accept-refusals",
    "cancel-broadcast",
    "retry-broadcast",
    "ask-platform-again",
    "stop-broadcast",
    "export-devices",
  ],
  API: ["create-token", "revoke-token", "deny-token", "throttle-token", "throttle-calls", "send-api-mail"],
  "Logs and activity": ["export-activity", "export-logs", "delete-logs"],
  "Companies and mirrors": [
    "import-tenants",
    "import-from-mirror",
    "repair-mirror",
    "retry-mirror",
    "decide-mirror-row",
  ],
};

/** The names of all actions by their codes, in groups, as a filter offers them. */
export const groupedDeeds: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  Object.entries(groups).map(([group, actions]) => [
    group,
    Object.fromEntries(actions.map((action) => [action, wordings[action].name])),
  ]),
);

/** The name of an action; of one that nobody knows any more, its code. */
export function actionName(action: string): string {
  return Object.hasOwn(wordings, action) ? wordings[action as AuditAction].name : action;
}

/** The names of all actions by their codes. */
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
  readonly campaignTitle?: string | undefined;
}

/** "Ada confirmed the campaign Hello". A deed this program does not know is said as it stands. */
export function sentenceOf({ actor, action, subject, outcome, campaignTitle }: SentenceParts): Sentence {
  const known: Readonly<Record<string, Wording>> = wordings;
  const wording = Object.hasOwn(known, action) ? known[action]?.[outcome] : undefined;
  const [before = "", after] = (wording ?? `${action}: {subject}`).split("{subject}");
  return {
    actor: actorName(actor),
    before,
    subject: after === undefined ? undefined : (campaignTitle ?? (subject || "(no address)")),
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
