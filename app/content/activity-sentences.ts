/** The outcomes of an action and their labels. */
export const outcomes = { ok: "Done", refused: "Refused", failed: "Failed" } as const;
export type Outcome = keyof typeof outcomes;

/** The action's name in lists, and the rest of the sentence after the actor for each outcome that is recorded. */
interface Wording extends Partial<Record<Outcome, string>> {
  readonly name: string;
}

/** Wordings of every action, in the filter's groups and order; {subject} is its subject, at most once a sentence. */
const groups = {
  "Logins and sessions": {
    login: { name: "Login", ok: "logged in", refused: "could not log in as {subject}" },
    logout: { name: "Logout", ok: "logged out" },
    "deny-access": { name: "Access denied", refused: "was denied access to {subject}" },
    "end-session": { name: "Session ended", ok: "ended another session of their own: {subject}" },
    "end-other-sessions": {
      name: "Other sessions ended",
      ok: "ended all their other sessions: {subject}",
    },
    "throttle-password": {
      name: "Passwords rate-limited",
      refused: "was rate-limited after too many password attempts for {subject}",
    },
    "change-password": {
      name: "Password change",
      ok: "changed their password",
      refused: "entered a wrong current password",
    },
    "turn-on-second-factor": {
      name: "Two-factor login on",
      ok: "turned on two-factor login",
      refused: "entered a wrong password to turn on two-factor login",
    },
    "turn-off-second-factor": {
      name: "Two-factor login off",
      ok: "turned off two-factor login",
      refused: "entered a wrong password to turn off two-factor login",
    },
    "reset-second-factor": {
      name: "Two-factor login reset",
      ok: "reset the two-factor login of {subject}",
      refused: "was not allowed to reset the two-factor login of {subject}",
    },
    "second-factor-code": {
      name: "Wrong code",
      refused: "entered a wrong authentication or recovery code for {subject}",
    },
    "throttle-second-factor": {
      name: "Codes rate-limited",
      refused: "was rate-limited after too many wrong codes for {subject}",
    },
    "use-recovery-code": { name: "Recovery code used", ok: "used a recovery code" },
    "renew-recovery-codes": { name: "Recovery codes renewed", ok: "created new recovery codes" },
  },
  Accounts: {
    "create-superadmin": { name: "First superadmin", ok: "created the first superadmin, {subject}" },
    "add-account": {
      name: "Account added",
      ok: "added the account {subject}",
      refused: "tried to add an existing account, {subject}",
    },
    "remove-account": {
      name: "Account removed",
      ok: "removed the account {subject}",
      refused: "tried to remove the protected account {subject}",
    },
    "reissue-password": {
      name: "Password reissued",
      ok: "reissued the temporary password of {subject}",
      refused: "tried to reissue the password of the protected account {subject}",
    },
  },
  Submissions: {
    "confirm-signup": { name: "Signup confirmed", ok: "confirmed the signup of {subject}" },
    "throttle-form": {
      name: "Forms rate-limited",
      refused: "was rate-limited after too many {subject} forms",
    },
    "release-quarantined": { name: "Quarantine released", ok: "released from quarantine: {subject}" },
    "purge-quarantined": { name: "Quarantine purged", ok: "purged from quarantine: {subject}" },
    "export-submissions": { name: "Submissions exported", ok: "exported submissions: {subject}" },
    "delete-submissions": { name: "Submissions deleted", ok: "deleted {subject}" },
    "restore-submissions": { name: "Submissions restored", ok: "restored {subject}" },
    "export-person": { name: "Person exported", ok: "exported everything held about {subject}" },
    "erase-person": { name: "Person erased", ok: "erased a person: {subject}" },
  },
  Campaigns: {
    "send-test-email": {
      name: "Test email",
      ok: "sent a test email to {subject}",
      failed: "could not send a test email to {subject}",
      refused: "tried to send a test email to {subject}, which is suppressed",
    },
    "confirm-outreach": { name: "Campaign confirmed", ok: "confirmed the campaign {subject}" },
    "pause-outreach": { name: "Campaign paused", ok: "paused the campaign {subject}" },
    "resume-outreach": { name: "Campaign resumed", ok: "resumed the campaign {subject}" },
    "begin-outreach": {
      name: "Campaign sent early",
      ok: "sent the campaign {subject} before its scheduled time",
    },
    "reschedule-outreach": { name: "Campaign rescheduled", ok: "rescheduled the campaign {subject}" },
    "cancel-outreach": { name: "Campaign cancelled", ok: "cancelled the campaign {subject}" },
    "decide-uncertain": {
      name: "Uncertain deliveries resolved",
      ok: "resolved the uncertain deliveries of {subject}",
    },
    "retry-failed": { name: "Failed deliveries retried", ok: "retried the failed deliveries of {subject}" },
    "export-recipients": { name: "Recipients exported", ok: "exported the recipients of {subject}" },
  },
  "Suppression list": {
    unsubscribe: { name: "Unsubscribed", ok: "unsubscribed {subject}" },
    "receive-bounces": { name: "Bounces received", ok: "received bounces and complaints: {subject}" },
    "add-suppression": { name: "Address suppressed", ok: "added {subject} to the suppression list" },
    "import-suppressions": {
      name: "Suppressions imported",
      ok: "imported into the suppression list: {subject}",
    },
    "release-suppressed": {
      name: "Suppression released",
      ok: "released from the suppression list: {subject}",
    },
    "export-suppressions": {
      name: "Suppressions exported",
      ok: "exported the suppression list: {subject}",
    },
  },
  Notifications: {
    "throttle-push": {
      name: "Push registrations rate-limited",
      refused: "was rate-limited after registering too many devices",
    },
    "send-test-push": {
      name: "Test notification",
      ok: "sent a test notification to their own browser",
      failed: "could not send a test notification to their own browser",
    },
    "confirm-broadcast": { name: "Broadcast confirmed", ok: "confirmed the push notification {subject}" },
    "pause-broadcast": { name: "Broadcast paused", ok: "paused the push notification {subject}" },
    "resume-broadcast": { name: "Broadcast resumed", ok: "resumed the push notification {subject}" },
    "accept-refusals": {
      name: "Gone devices removed",
      ok: "removed the gone devices and resumed the push notification {subject}",
    },
    "cancel-broadcast": { name: "Broadcast cancelled", ok: "cancelled the push notification {subject}" },
    "retry-broadcast": {
      name: "Failed devices retried",
      ok: "retried the failed devices of the push notification {subject}",
    },
    "ask-platform-again": {
      name: "Platform asked again",
      ok: "asked the platform again to send the push notification {subject}",
    },
    "stop-broadcast": { name: "Broadcast stopped", failed: "stopped the push notification {subject}" },
    "export-devices": { name: "Devices exported", ok: "exported the devices of {subject}" },
  },
  API: {
    "create-token": { name: "API token created", ok: "created the API token {subject}" },
    "revoke-token": { name: "API token revoked", ok: "revoked the API token {subject}" },
    "deny-token": { name: "API call refused", refused: "was refused by the API: {subject}" },
    "throttle-token": {
      name: "API logins rate-limited",
      refused: "was rate-limited after too many API calls with invalid tokens",
    },
    "throttle-calls": {
      name: "API calls rate-limited",
      refused: "was rate-limited after too many calls with the API token {subject}",
    },
    "send-api-email": {
      name: "API email",
      ok: "sent an email to {subject} through the API",
      refused: "was not allowed to email {subject} through the API",
      failed: "could not send an email to {subject} through the API",
    },
  },
  "Logs and activity": {
    "export-activity": { name: "Activity exported", ok: "exported the activity: {subject}" },
    "export-logs": { name: "Log exported", ok: "exported the log: {subject}" },
    "delete-logs": {
      name: "Log deleted",
      ok: "deleted the log: {subject}",
      failed: "could not delete the log",
    },
  },
  "Companies and mirrors": {
    "import-tenants": { name: "Companies imported", ok: "imported companies: {subject}" },
    "import-from-mirror": { name: "Spreadsheet imported", ok: "imported from the spreadsheet: {subject}" },
    "repair-mirror": { name: "Mirror repair", ok: "repaired the mirror of {subject}" },
    "retry-mirror": { name: "Mirror retried", ok: "retried the mirror of {subject}" },
    "decide-mirror-row": { name: "Mirror row resolved", ok: "resolved a row of the mirror of {subject}" },
  },
} as const satisfies Record<string, Record<string, Wording>>;

type KeysOfEach<Group> = Group extends Group ? keyof Group : never;
export type AuditAction = KeysOfEach<(typeof groups)[keyof typeof groups]>;

const wordings = new Map<string, Wording>(Object.values(groups).flatMap((group) => Object.entries(group)));

/** The names of all actions by their codes, in groups, for the filter. */
export const groupedActions: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  Object.entries(groups).map(([group, actions]) => [
    group,
    Object.fromEntries(Object.entries(actions).map(([action, { name }]) => [action, name])),
  ]),
);

/** Returns the name of an action; of an unknown one, its code. */
export const getActionName = (action: string): string => wordings.get(action)?.name ?? action;

/** A sentence split at its subject; `subject` is undefined where the sentence does not name it. */
interface Sentence {
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
  /** Replaces the subject's id in the sentence. */
  readonly campaignTitle?: string | undefined;
}

/** Returns a sentence such as "Ada confirmed the campaign Hello". The code of an unknown action is shown as it is. */
export function getSentence({ actor, action, subject, outcome, campaignTitle }: SentenceParts): Sentence {
  const wording = wordings.get(action)?.[outcome] ?? `${action}: {subject}`;
  const [before = "", after] = wording.split("{subject}");
  return {
    actor: getActorName(actor),
    before,
    subject: after === undefined ? undefined : (campaignTitle ?? (subject || "(no address)")),
    after: after ?? "",
  };
}

/** Names the actor: an account by its address, or one of the two actors that are not accounts. */
export function getActorName(actor: string): string {
  if (actor === "visitor") return "A visitor";
  return actor === "system" ? "The server" : actor;
}

/** Returns the same sentence as plain text. */
export function formatSentence(parts: SentenceParts): string {
  const { actor, before, subject = "", after } = getSentence(parts);
  return `${actor} ${before}${subject}${after}`;
}
