import type { AuditAction } from "~/services/audit/actions";

/** The outcomes of an action and their labels. */
export const outcomes = { ok: "Done", refused: "Refused", failed: "Failed" } as const;
export type Outcome = keyof typeof outcomes;

/** An action's name in lists, and what follows the actor when it succeeds; {subject} is its subject, at most once. */
type Wording = readonly [name: string, sentence?: string];

/** Every action, in the filter's groups and order. */
const groups = {
  "Logins and sessions": {
    login: ["Login", "logged in"],
    logout: ["Logout", "logged out"],
    "deny-access": ["Access denied"],
    "end-session": ["Session ended", "ended another session of their own: {subject}"],
    "end-other-sessions": ["Other sessions ended", "ended all their other sessions: {subject}"],
    "throttle-password": ["Passwords rate-limited"],
    "change-password": ["Password change", "changed their password"],
    "change-name": ["Name change", "changed their name to {subject}"],
    "choose-alerts": ["Alerts chosen", "changed what they are told about"],
    "request-email-change": ["Address change asked for", "asked to change their address to {subject}"],
    "withdraw-email-change": [
      "Address change withdrawn",
      "withdrew the change of their address to {subject}",
    ],
    "change-email": ["Address change", "changed their address to {subject}"],
    "throttle-email-change": ["Address changes rate-limited"],
    "turn-on-second-factor": ["Two-factor login on", "turned on two-factor login"],
    "turn-off-second-factor": ["Two-factor login off", "turned off two-factor login"],
    "reset-second-factor": ["Two-factor login reset", "reset the two-factor login of {subject}"],
    "second-factor-code": ["Wrong code"],
    "throttle-second-factor": ["Codes rate-limited"],
    "use-recovery-code": ["Recovery code used", "used a recovery code"],
    "renew-recovery-codes": ["Recovery codes renewed", "created new recovery codes"],
  },
  Accounts: {
    "create-superadmin": ["First superadmin", "created the first superadmin, {subject}"],
    "add-account": ["Account added", "added the account {subject}"],
    "remove-account": ["Account removed", "removed the account {subject}"],
    "promote-account": ["Superadmin made", "made {subject} a superadmin"],
    "demote-account": ["Superadmin demoted", "made {subject} an admin again"],
    "invite-colleague": ["Colleague invited", "invited {subject} to the back office"],
    "renew-invitation": ["Invitation renewed", "renewed the invitation of {subject}"],
    "revoke-invitation": ["Invitation revoked", "revoked the invitation of {subject}"],
    "accept-invitation": ["Invitation accepted", "accepted their invitation and chose a password"],
    "throttle-invitation": ["Invitations rate-limited"],
    "reissue-password": ["Password reissued", "reissued the temporary password of {subject}"],
  },
  Submissions: {
    "confirm-signup": ["Signup confirmed", "confirmed the signup of {subject}"],
    "confirm-address": ["Address confirmed", "confirmed the address {subject}"],
    "throttle-form": ["Forms rate-limited"],
    "release-quarantined": ["Quarantine released", "released from quarantine: {subject}"],
    "purge-quarantined": ["Quarantine purged", "purged from quarantine: {subject}"],
    "export-submissions": ["Submissions exported", "exported submissions: {subject}"],
    "export-people": ["People exported", "exported {subject}"],
    "delete-submissions": ["Submissions deleted", "deleted {subject}"],
    "restore-submissions": ["Submissions restored", "restored {subject}"],
    "answer-inquiries": ["Inquiries answered", "marked as answered: {subject}"],
    "reopen-inquiries": ["Inquiries opened again", "opened again: {subject}"],
    "export-person": ["Person exported", "exported everything held about {subject}"],
    "erase-person": ["Person erased", "erased a person: {subject}"],
    "add-note": ["Note added", "added a note about {subject}"],
    "remove-note": ["Note removed", "removed a note about {subject}"],
    "correct-person": ["Person corrected", "corrected {subject}"],
    "merge-people": ["People merged", "merged two people: {subject}"],
    "undo-correction": ["Correction undone", "undid the correction of {subject}"],
    "start-import": ["Import started", "started to import {subject}"],
    "finish-import": ["Import finished", "finished importing {subject}"],
    "cancel-import": ["Import cancelled", "cancelled the import of {subject}"],
    "undo-import": ["Import undone", "undid the import of {subject}"],
    "export-import-lines": ["Import's lines exported", "exported the rest of the import {subject}"],
  },
  Campaigns: {
    "send-test-email": ["Test email", "sent a test email to {subject}"],
    "confirm-outreach": ["Campaign confirmed", "confirmed the campaign {subject}"],
    "edit-outreach": ["Campaign edited", "made the campaign {subject} a draft again, to edit it"],
    "repeat-wave": ["Wave repeated", "confirmed the next wave, {subject}"],
    "stop-repeating-wave": ["Repeating stopped", "stopped the repeating of the wave {subject}"],
    "revoke-wave-invitation": [
      "Link of an invitation revoked",
      "revoked the invitation of {subject} from the waiting list",
    ],
    "resend-wave-invitation": [
      "Invitation sent again",
      "sent {subject} their invitation again, with a new link",
    ],
    "ask-for-invitation": [
      "New link asked for",
      "asked for a new link: the invitation of {subject} has expired",
    ],
    "throttle-wave-invitation": ["Requests for new links rate-limited"],
    "pause-outreach": ["Campaign paused", "paused the campaign {subject}"],
    "resume-outreach": ["Campaign resumed", "resumed the campaign {subject}"],
    "begin-outreach": ["Campaign started by hand", "started the campaign {subject} by hand"],
    "reschedule-outreach": ["Campaign rescheduled", "rescheduled the campaign {subject}"],
    "cancel-outreach": ["Campaign cancelled", "cancelled the campaign {subject}"],
    "decide-uncertain": ["Uncertain deliveries resolved", "resolved the uncertain deliveries of {subject}"],
    "retry-failed": ["Failed deliveries retried", "retried the failed deliveries of {subject}"],
    "export-recipients": ["Recipients exported", "exported the recipients of {subject}"],
    "save-template": ["Template saved", "saved the template {subject}"],
    "change-template": ["Template changed", "changed the template {subject}"],
    "delete-template": ["Template deleted", "deleted the template {subject}"],
    "restore-template": ["Template restored", "restored the template {subject}"],
    "set-default-template": ["Default template set", "set the default template {subject}"],
    "clear-default-template": ["Default template cleared", "cleared the default template {subject}"],
  },
  "Automatic emails": {
    "turn-on-automatic-email": ["Automatic email on", "turned on the automatic email {subject}"],
    "turn-off-automatic-email": ["Automatic email off", "turned off the automatic email {subject}"],
    "change-automatic-email": [
      "Automatic email changed",
      "changed the text of the automatic email {subject}",
    ],
    "resend-automatic-email": ["Automatic email sent again", "sent an automatic email again to {subject}"],
  },
  "Suppression list": {
    unsubscribe: ["Unsubscribed", "unsubscribed {subject}"],
    "receive-bounces": ["Bounces received", "received bounces and complaints: {subject}"],
    "add-suppression": ["Address suppressed", "added {subject} to the suppression list"],
    "import-suppressions": ["Suppressions imported", "imported into the suppression list: {subject}"],
    "release-suppressed": ["Suppression released", "released from the suppression list: {subject}"],
    "release-campaign-suppressions": [
      "Campaign's suppressions released",
      "released from the suppression list: {subject}",
    ],
    "export-suppressions": ["Suppressions exported", "exported the suppression list: {subject}"],
  },
  Notifications: {
    "throttle-push": ["Push registrations rate-limited"],
    "send-test-push": ["Test notification", "sent a test notification to their own browser"],
    "confirm-broadcast": ["Broadcast confirmed", "confirmed the push notification {subject}"],
    "pause-broadcast": ["Broadcast paused", "paused the push notification {subject}"],
    "resume-broadcast": ["Broadcast resumed", "resumed the push notification {subject}"],
    "accept-refusals": [
      "Gone devices removed",
      "removed the gone devices and resumed the push notification {subject}",
    ],
    "cancel-broadcast": ["Broadcast cancelled", "cancelled the push notification {subject}"],
    "retry-broadcast": [
      "Failed devices retried",
      "retried the failed devices of the push notification {subject}",
    ],
    "ask-platform-again": [
      "Platform asked again",
      "asked the platform again to send the push notification {subject}",
    ],
    "stop-broadcast": ["Broadcast stopped"],
    "export-devices": ["Devices exported", "exported the devices of {subject}"],
  },
  API: {
    "create-token": ["API token created", "created the API token {subject}"],
    "revoke-token": ["API token revoked", "revoked the API token {subject}"],
    "deny-token": ["API call refused"],
    "throttle-token": ["API logins rate-limited"],
    "throttle-calls": ["API calls rate-limited"],
    "send-api-email": ["API email", "sent an email to {subject} through the API"],
  },
  "Logs and activity": {
    "export-activity": ["Activity exported", "exported the activity: {subject}"],
    "export-logs": ["Log exported", "exported the log: {subject}"],
    "delete-logs": ["Log deleted", "deleted the log: {subject}"],
  },
  "Shared views": {
    "share-view": ["View shared", "shared the view {subject}"],
    "change-view": ["Shared view changed", "changed the shared view {subject}"],
    "unshare-view": ["View no longer shared", "stopped sharing the view {subject}"],
    "delete-view": ["Shared view deleted", "deleted the shared view {subject}"],
  },
  Setup: {
    "dismiss-setup-card": ["Setup card hidden", "hid the setup card of the dashboard"],
    "restore-setup-card": ["Setup card shown", "showed the setup card of the dashboard again"],
  },
  "Companies and mirrors": {
    "import-tenants": ["Companies imported", "imported companies: {subject}"],
    "import-from-mirror": ["Spreadsheet imported", "imported from the spreadsheet: {subject}"],
    "repair-mirror": ["Mirror repair", "repaired the mirror of {subject}"],
    "retry-mirror": ["Mirror retried", "retried the mirror of {subject}"],
    "decide-mirror-row": ["Mirror row resolved", "resolved a row of the mirror of {subject}"],
  },
} as const satisfies Record<string, Partial<Record<AuditAction, Wording>>>;

/** What follows the actor of a refused action. */
const refused: Partial<Record<AuditAction, string>> = {
  login: "could not log in as {subject}",
  "deny-access": "was denied access to {subject}",
  "throttle-password": "was rate-limited after too many password attempts for {subject}",
  "change-password": "entered a wrong current password",
  "request-email-change": "entered a wrong password to change their address",
  "throttle-email-change": "was rate-limited after too many links that confirm an address",
  "turn-on-second-factor": "entered a wrong password to turn on two-factor login",
  "turn-off-second-factor": "entered a wrong password to turn off two-factor login",
  "reset-second-factor": "was not allowed to reset the two-factor login of {subject}",
  "second-factor-code": "entered a wrong authentication or recovery code for {subject}",
  "throttle-second-factor": "was rate-limited after too many wrong codes for {subject}",
  "add-account": "tried to add an existing account, {subject}",
  "remove-account": "tried to remove the protected account {subject}",
  "promote-account": "could not make {subject} a superadmin",
  "demote-account": "could not make {subject} an admin",
  "invite-colleague": "could not invite {subject}",
  "renew-invitation": "was not allowed to renew the invitation of {subject}",
  "revoke-invitation": "was not allowed to revoke the invitation of {subject}",
  "throttle-invitation": "was rate-limited after too many invitation links",
  "reissue-password": "tried to reissue the password of the protected account {subject}",
  "throttle-form": "was rate-limited after too many {subject} forms",
  "send-test-email": "tried to send a test email to {subject}, which is suppressed",
  "throttle-push": "was rate-limited after registering too many devices",
  "deny-token": "was refused by the API: {subject}",
  "throttle-token": "was rate-limited after too many API calls with invalid tokens",
  "throttle-calls": "was rate-limited after too many calls with the API token {subject}",
  "send-api-email": "was not allowed to email {subject} through the API",
};

/** What follows the actor of a failed action. */
const failed: Partial<Record<AuditAction, string>> = {
  "send-test-email": "tried to send a test email to {subject}, and no mail server confirmed it",
  "send-test-push": "could not send a test notification to their own browser",
  "stop-broadcast": "stopped the push notification {subject}",
  "send-api-email": "tried to email {subject} through the API, and no mail server confirmed it",
  "delete-logs": "could not delete the log",
};

const wordings = Object.values(groups).flatMap((group) => Object.entries<Wording>(group));
const names = new Map(wordings.map(([action, [name]]) => [action, name]));
const sentences: Record<Outcome, ReadonlyMap<string, string | undefined>> = {
  ok: new Map(wordings.map(([action, [, sentence]]) => [action, sentence])),
  refused: new Map(Object.entries(refused)),
  failed: new Map(Object.entries(failed)),
};

/** The names of all actions by their codes, in groups, for the filter. */
export const groupedActions: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  Object.entries(groups).map(([group, actions]) => [
    group,
    Object.fromEntries(Object.entries<Wording>(actions).map(([action, [name]]) => [action, name])),
  ]),
);

/** Returns the name of an action; of an unknown one, its code. */
export const getActionName = (action: string): string => names.get(action) ?? action;

interface SentenceParts {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: Outcome;
  /** Replaces the subject's id in the sentence. */
  readonly subjectTitle?: string | undefined;
}

/**
 * Returns a sentence such as "Ada confirmed the campaign Hello", split at its subject, which is undefined where the
 * sentence does not name it. The code of an unknown action is shown as it is.
 */
export function getSentence({ actor, action, subject, outcome, subjectTitle }: SentenceParts) {
  const sentence = sentences[outcome].get(action) ?? `${action}: {subject}`;
  const [before = "", after] = sentence.split("{subject}");
  return {
    actor: getActorName(actor),
    before,
    subject: after === undefined ? undefined : (subjectTitle ?? (subject || "(no address)")),
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
