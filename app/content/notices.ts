import { formatCount } from "~/lib/format-number";
import { messages } from "./messages";

interface Notice {
  readonly kind: "success" | "error" | "info";
  readonly text: string;
}

const successes = withKind("success", {
  confirmed: messages.confirmUpdates.confirmed,
  "link-sent": messages.confirmUpdates.newLinkSent,
  "invite-asked": messages.invite.asked,
  welcome: "Password reset successfully. Welcome to the back office.",
  "password-changed": "Password reset successfully",
  "user-removed": "User removed successfully",
  "invitation-revoked": "The invitation was revoked. Its link does not work any more.",
  "invitation-accepted": "Your account is ready. Log in with the password you chose.",
  "user-promoted": "This user is a superadmin now.",
  "user-demoted": "This user is an admin now.",
  "draft-saved": "Draft saved",
  "draft-discarded": "Draft discarded.",
  "draft-restored": "Draft restored",
  "draft-started": "The template was copied into the draft.",
  "draft-replaced":
    "A new draft starts from the template. What was written before is kept as a draft of its own.",
  "template-saved": "The template was saved.",
  "template-deleted": "The template was deleted. You can undo this for ten minutes.",
  "template-restored": "The template was restored.",
  "view-saved": "The view was saved.",
  "view-changed": "The view was changed.",
  "view-updated": "The view was updated to what is shown.",
  "view-deleted": "The view was deleted.",
  "campaign-rescheduled": "The scheduled time was saved.",
  "campaign-reopened": "This campaign is a draft again. Nobody gets it until you confirm it again.",
  "wave-repeats-no-more": "This wave is not repeated any more. The waves there are go on.",
  "draft-copied": "Copied as a new draft",
  "test-sent": "Test email sent successfully!",
  "automatic-saved": "Saved. Emails sent from now on have this text.",
  "automatic-on": "Turned on. It answers forms that are sent from now on.",
  "automatic-off": "Turned off. What was waiting is skipped.",
  "automatic-email-resent": "It is sent again. What becomes of it is listed here.",
  released: "Released. They are now among the other submissions.",
  "released-unconfirmed": "Released. Signups wait for their confirmation, under Unconfirmed.",
  purged: "Purged.",
  "import-discarded": "The file was discarded. Nobody was imported.",
  "suppressions-released": "Released. They get emails again from the next campaign on, if they signed up.",
  "campaign-suppressions-released": "Released. They get emails again.",
  "submissions-deleted": "Deleted. You can undo this for ten minutes.",
  "submissions-restored": "Restored.",
  "inquiries-answered": "Marked as answered.",
  "inquiries-opened": "Opened again.",
  "person-erased": "Erased, except what was listed before you confirmed.",
  "wave-invitation-revoked": "The invitation was revoked. Its link does not work any more.",
  "wave-invitation-resent":
    "The invitation is sent again, with a new link. What becomes of it is listed here.",
  "note-added": "The note was added.",
  "note-removed": "The note was removed.",
  "person-corrected": "Corrected. You can undo this for ten minutes.",
  "people-merged": "The two were merged. You can undo this for ten minutes.",
  "correction-undone": "The correction was undone.",
  "time-zone-saved": "Your time zone was saved.",
  "name-saved": "Your name was saved.",
  "alerts-saved": "Your alerts were saved.",
  "email-change-requested":
    "Your address changes once the link in the email to the new one is opened and confirmed.",
  "email-change-withdrawn": "The change was withdrawn. Its link does not work any more.",
  "session-ended": "The session was ended. That browser has to log in again.",
  "session-over": "That session had already ended. Nothing was changed.",
  "other-sessions-ended": "All your other sessions were ended. Those browsers have to log in again.",
  "token-revoked": "The token was revoked. Its next call is refused.",
  "second-factor-on": "Two-factor login is on. Your next login asks for a code.",
  "second-factor-off": "Two-factor login is off. Your password alone opens this account.",
  "second-factor-reset": "Two-factor login reset. That account now logs in with its password alone.",
  "recovery-codes-kept": "Your new recovery codes are active.",
  "test-push-sent": "The test was sent to this browser.",
  "mirror-repair": "The repair begins within a second. This page shows its progress.",
  "mirror-again": "Retrying.",
  "mirror-decided": "Your answer was saved.",
  "test-email-accepted": "The mail server accepted the test email.",
  "setup-checked": "Checked. The results are below.",
  "setup-signups-removed": "Removed. You can undo this for ten minutes under Submissions.",
  "setup-card-dismissed": "The setup card is hidden. Setup has it back.",
  "setup-card-restored": "The setup card is on the dashboard again.",
  "logs-deleted": "All logs were deleted. New lines appear here.",
});

const errors = withKind("error", {
  "no-user": "No user logged in",
  "user-gone": "This user was already removed. Nothing was changed.",
  "invitation-gone": "This invitation was already accepted or revoked. Nothing was changed.",
  "role-unchanged": "This user has that role already. Nothing was changed.",
  "email-change-not-sent": "The link was not sent, so your address stays as it is. The reason is below.",
  "email-change-gone": "There was no change to withdraw any more. This is your address now.",
  "automatic-email-gone":
    "This email no longer exists: its person was erased, or it was never sent. Nothing was changed.",
  "automatic-email-waiting": "This email is still on its way, so it was not sent again.",
  "automatic-email-off":
    "This automatic email is off, so nothing was sent. Turn it on first, under Automatic emails.",
  "automatic-email-nobody": "Nobody is signed up with this address any more, so nothing was sent.",
  "wave-invitation-not-invited": "This person is not invited, so nothing was changed.",
  "wave-invitation-joined": "This person has joined already, so nothing was changed.",
  "wave-invitation-suppressed":
    "This address is on the suppression list, so nothing was sent. Release it there first.",
  "wave-invitation-stale": "This invitation was sent again in the meantime, so nothing was sent twice.",
  "automatic-email-suppressed":
    "This address is on the suppression list, so nothing was sent. Release it there first.",
  "draft-gone": "This draft no longer exists, so nothing was changed.",
  "view-gone": "This view no longer exists, or is another person's. Nothing was changed.",
  "template-gone": "This template no longer exists. Nothing was changed.",
  "template-name-taken":
    "Another template has this name by now, so this one was not restored. Rename that one first.",
  "templates-full":
    "There are 200 templates already, so this one was not restored. Delete another one first.",
  "template-deletion-over":
    "This can no longer be undone: the ten minutes have passed, or a colleague has already restored it.",
  "no-default-template": "This group has no default template. Choose a template under Start from.",
  "no-recipients": "Nobody in this group can get this email yet, so nothing was sent.",
  "not-sendable": "This email has no title or no message yet, so nothing was sent.",
  "nothing-selected": "Nothing was selected, so nothing was changed. Select submissions first.",
  "already-settled": "These were already handled, so nothing was changed.",
  "suppressions-gone": "These were already released, so nothing was changed.",
  "no-suppression-selected": "Nothing was selected, so nothing was changed. Select addresses first.",
  "submissions-gone": "These no longer exist, so nothing was deleted.",
  "no-submission-selected": "Nothing was selected, so nothing was deleted. Select submissions first.",
  "no-inquiry-selected": "Nothing was selected, so nothing was changed. Select inquiries first.",
  "inquiries-unchanged":
    "Nothing was changed: a colleague did the same before, or the inquiry was deleted. This is the current state.",
  "deletion-over":
    "This can no longer be undone: the ten minutes have passed, or a colleague has already restored it.",
  "person-gone":
    "Nobody was found under that link. The person was erased, or their submissions were deleted.",
  "person-email-in-progress":
    "An email to this person is being sent right now, so nothing was erased. Try again in half a minute.",
  "note-gone": "This note was already removed, or it is a colleague's. Nothing was changed.",
  "correction-over":
    "This can no longer be undone: ten minutes have passed, an email was sent to the new address, or something newer was changed.",
  "import-gone":
    "Nothing was changed: a colleague did something else with this import, or the time to undo it is over.",
  "token-gone": "That token was already revoked or removed. Nothing was changed.",
  "login-over": "The login was not finished in time, or your password has changed. Please log in again.",
  "second-factor-on-already":
    "Two-factor login is on already. Recovery codes are shown once: if you have not saved them, create new ones.",
  "enrolment-over":
    "This took more than an hour or was ended elsewhere. Two-factor login is still off; please start again.",
  "broadcast-changed":
    "This notification was changed in the meantime, so nothing was sent. Please check its text and its audience.",
  "devices-changed": "The audience has changed in the meantime. Please check the number of devices again.",
  "no-devices": "No devices of this audience are registered any more, so nothing was sent.",
  "unknown-broadcast": "This notification no longer exists, so nothing was sent. Please write it again.",
  "broadcast-not-sendable":
    "This notification has no title or no message, or is too long, so nothing was sent.",
  "broadcast-sent-before": "This notification was already sent. It was not sent again.",
  "draft-confirmed-before": "This draft was already confirmed. What you have here is a new draft now.",
  "mirror-row-gone": "This row was already handled, so nothing was changed.",
  "unknown-campaign": "This draft no longer exists, so nothing was sent. Please write it again.",
  "campaign-gone": "This campaign no longer exists, so nothing was changed.",
  "campaign-not-editable":
    "This campaign has begun, or was paused or cancelled meanwhile, so it cannot be edited. Nothing was changed.",
  "campaign-unchanged":
    "The status of this campaign has changed in the meantime, so nothing was done. This is its current status.",
  "nothing-to-retry": "Nothing was retried: no failed recipients are left.",
  "nothing-uncertain": "Nothing was changed: no uncertain recipients are left.",
  "test-email-refused": "The test email was not sent. The reason is below.",
  "test-email-unknown":
    "The mail server took the test email and gave no answer. It may arrive: check your inbox.",
  "test-email-waiting":
    "The mail server has not answered for 30 seconds. Its answer appears below once it comes: reload the page.",
  "setup-check-waiting":
    "The checks were not finished after 20 seconds. Their results appear below once they are; reload the page.",
  "setup-no-signups": "There is no accepted signup from your address any more, so nothing was removed.",
  "notification-unchanged":
    "The status of this notification has changed in the meantime, so nothing was done. This is its current status.",
});

/** The sentences shown after a redirect to ?notice=<code>; those that the specification fixes, to the letter. */
export const notices = {
  ...successes,
  ...errors,
  ...withKind("info", {
    "campaign-is-draft":
      "This campaign was already made a draft again, by you or a colleague. Nobody gets it until it is confirmed again.",
    "session-timeout": "Your session has ended. Log in to continue where you were.",
    "test-email-stored":
      "The test email was stored in the outbox. It reaches nobody until a mail server is set.",
  }),
};

export type NoticeCode = keyof typeof notices;

const submissions = (count: number) => formatCount(count, "submission");
const addresses = (count: number) => formatCount(count, "address", "addresses");

const counted: Partial<Record<NoticeCode, (count: number) => string>> = {
  released: (count) => `${submissions(count)} released, now among the others.`,
  /** The number of those that are unconfirmed; others may have been released with them. */
  "released-unconfirmed": (count) =>
    `Released. ${formatCount(count, "signup waits for its", "signups wait for their")} confirmation, under Unconfirmed.`,
  purged: (count) => `${submissions(count)} purged.`,
  "suppressions-released": (count) =>
    `${addresses(count)} released. They get emails again from the next campaign on, if they signed up.`,
  "submissions-deleted": (count) => `${submissions(count)} deleted. You can undo this for ten minutes.`,
  "submissions-restored": (count) => `${submissions(count)} restored.`,
};

/** Returns a notice's sentence, with the number of rows it is about where that is known. */
export function getNoticeText(code: NoticeCode, count: number | undefined): string {
  const write = counted[code];
  return count && write ? write(count) : notices[code].text;
}

function withKind<Code extends string>(
  kind: Notice["kind"],
  sentences: Readonly<Record<Code, string>>,
): Readonly<Record<Code, Notice>> {
  const entries = Object.entries(sentences).map(([code, text]) => [code, { kind, text }]);
  return Object.fromEntries(entries) as Record<Code, Notice>;
}
