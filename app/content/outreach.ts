import type { MergeField } from "~/lib/merge-fields";
import { formatCount, grouped } from "~/lib/format-number";
import type { CampaignStats } from "~/services/outreach/campaign-stats.server";

const people = (count: number) => formatCount(count, "recipient");

const testProblems = {
  uncertain:
    "The mail server did not answer, so the test email may or may not have arrived. Check the inbox before you send another one.",
  suppressed:
    "This address is on the suppression list, so nothing was sent. Release it there first, or use another address.",
};

export const outreachMessages = {
  panelTitle: "Email Outreach",
  panelDescription: "One email to each person of a group. Each gets it once, with a link to unsubscribe.",
  group: "Recipient group",
  testAddress: "Test email address",
  sendTest: "Send Test",
  title: "Email Title",
  message: "Email Message",
  previewRecipients: "Preview Recipients",
  editMessage: "Edit Message",
  sendEmail: "Send Email",
  saveDraft: "Save Draft",
  draftSaved: "Draft saved",
  conflict: "A colleague changed this draft. Your version is not saved yet.",
  conflictOwn: "You changed this draft in another window. This version is not saved yet.",
  conflictSaved: (by: string) => `Saved by ${by}`,
  conflictTitle: "The saved text",
  noText: "The text is empty.",
  keepMine: "Save mine instead",
  keepThis: "Save this version instead",
  takeTheirs: "Open the saved text",
  discard: "Discard",
  unknownField: (field: string, fields: readonly MergeField[]) =>
    `{{${field}}} is not a field, so nothing was sent. There are ${fields.map((each) => `{{${each}}}`).join(", ")}.`,
  discardWhat: (title: string) => `Discard the draft ${title}`,
  undo: "Undo",
  /** Why a test email was not sent, or may not have been. */
  testProblem: (outcome: { error: "uncertain" | "suppressed" } | { error: "not-sent"; reason: string }) =>
    outcome.error === "not-sent"
      ? `The test email was not sent. The mail server says: ${outcome.reason}`
      : testProblems[outcome.error],
  sent: "Emails sent successfully",
  failed: "Error sending Emails",
  cancelled: "Campaign cancelled",
  nobodyReached: "No emails sent: every recipient was skipped",
  testSubject: (title: string) => `[Test] ${title}`,
  defaultTestSubject: (brandName: string) => `Test Email from ${brandName}`,
  confirmTitle: "Confirm Email Send",
  confirm: (recipients: number) => `You are about to send an email to ${people(recipients)}.`,
  cannotBeUndone: "This action cannot be undone.",
  confirmQuestion: "Are you sure you want to proceed?",
  confirmYes: "Yes, Send Email",
  /** With a time for later. */
  confirmLater: "Yes, Schedule",
  canBeUndone: "You can edit, reschedule or cancel it before that time.",
  cancel: "Cancel",
  contentChanged: "This draft was changed in the meantime, so nothing was sent. Please check its text.",
  changedBy: (by: string) => `Changed by ${by}`,
  changedByYou: "Changed by you in another window",
  confirmedText: "What you confirmed",
  currentText: "What it is now",
  confirmFailed: "Nothing was changed. You can send it again: it goes out only once.",
  emailTitle: "The email",
  asSeenBy: (address: string) => `As ${address} will see it.`,
  emailFrame: "The email as its reader sees it",
  plainText: "The same as plain text",
  total: (count: number) => `${people(count)} in total`,
  skippedNow: (count: number) =>
    `${grouped(count)} more will be skipped: unsubscribed or on the suppression list.`,
  more: (count: number) => `And ${grouped(count)} more recipients...`,
  preparing: (recipients: number, done: number) =>
    done === 0
      ? `Preparing the list of recipients: ${grouped(recipients)} so far`
      : `Sending emails: ${grouped(done)} done, the list of recipients has ${grouped(recipients)} so far`,
  failedCount: (count: number) => `${grouped(count)} failed`,
  uncertainCount: (count: number) => `${grouped(count)} uncertain`,
  progress: (done: number, recipients: number) =>
    `Sending emails: ${grouped(done)} of ${grouped(recipients)} done`,
  retrying: (sent: number, recipients: number, retrying: number) =>
    `${grouped(sent)} of ${grouped(recipients)} sent, ${grouped(retrying)} will be retried`,
  unreachable: (sent: number, recipients: number) =>
    `${grouped(sent)} of ${grouped(recipients)} sent, waiting for the mail server`,
  sentAndRetries: (sent: number, recipients: number, retries: string) =>
    `${grouped(sent)} of ${grouped(recipients)} sent, ${retries}`,
  /** @param time of the next attempt, with its time zone. */
  onlyRetries: (waiting: number, time: string) => `${grouped(waiting)} waiting, next attempt ${time}`,
  goesOn: "This continues in the background. You may leave this page.",
  leave: "Continue working",
  seeCampaign: "See all recipients",
} as const;

export const campaignStatusMessages = {
  recentTitle: "Latest campaigns",
  noCampaigns: "No campaigns yet. They appear here with their results.",
  /** @param narrowed the narrowed audience in words. */
  summary: (group: string, author: string, narrowed?: string) =>
    narrowed === undefined ? `To ${group}, by ${author}.` : `To ${group}, by ${author}. ${narrowed}.`,
  /** A template's name follows. */
  startedFrom: "Its text came from the template",
  fromDeleted: "Its text came from a deleted template.",
  delivery: "Delivery",
  selected: "Selected",
  sent: "Sent",
  failed: "Failed",
  skipped: "Skipped",
  uncertain: "Uncertain",
  waiting: "Pending",
  pause: "Pause",
  resume: "Resume",
  retryFailed: "Retry failed",
  copyAsDraft: "Copy as new draft",
  cancel: "Cancel campaign",
  cancelTitle: "Cancel this campaign?",
  /** @param waiting undefined while the recipients are still being listed. */
  cancelQuestion: (waiting: number | undefined) =>
    `${waiting === undefined ? "Recipients who are not reached yet" : people(waiting)} will not get this email. Emails already sent cannot be recalled.`,
  keepSending: "Keep sending",
  /** Result of Retry failed. */
  retried: (retried: number, suppressed: number) =>
    suppressed === 0
      ? `${grouped(retried)} retried.`
      : `${grouped(retried)} retried, ${grouped(suppressed)} not retried: on the suppression list.`,
  uncertainQuestion: (count: number) =>
    `For ${people(count)} the mail server did not answer, so the email may or may not have arrived.`,
  resend: "Send to all of them again",
  countAsSent: "Mark all of them as sent",
  /** Emails among the sent that bounced or were reported later. */
  returned: ({ bounced, complained }: { bounced: number; complained: number }) =>
    [bounced && `${grouped(bounced)} bounced later`, complained && `${grouped(complained)} complained`]
      .filter(Boolean)
      .join(", "),
  returnedLater: ({ kind, reason }: { kind: "bounced" | "complained" | "delayed"; reason: string }) => {
    const words = kind === "delayed" ? "delayed" : `${kind} later`;
    return reason ? `${words}: ${reason}` : words;
  },
  /** Addresses that mail servers suppressed because of this campaign, and the release of all of them. */
  suppressed: (count: number) =>
    `${formatCount(count, "address is", "addresses are")} on the suppression list because of this campaign: mail servers reported that the mailbox does not exist.`,
  releaseSuppressed: "Release all",
  releaseQuestion: (count: number) => `Release ${formatCount(count, "address", "addresses")}?`,
  /** @param canRetry whether emails failed that Retry failed may send. One that bounced later counts as sent. */
  releaseConsequence: (canRetry: boolean) =>
    `Do this when the fault was ours, such as a blocked network. They get emails again${canRetry ? ", and Retry failed includes those whose email failed" : ""}. People who unsubscribed or complained stay suppressed.`,
  releaseReason: "Reason for the release",
  releaseReasonHint: "Recorded in Activity with your name.",
  keepSuppressed: "Keep them suppressed",
  noRows: "No recipients with this status.",
  noMatch: "No recipient matches.",
  tableCaption: "Recipients of this campaign",
  address: "Address",
  searchRecipients: "Search recipients",
  search: "Search by the start of an address",
  /** @param title "Failed" */
  byReason: (title: string) => `${title}, by reason`,
  failedOfFirst: (count: number) => `Failed (the first ${grouped(count)})`,
  rowStates: {
    pending: "Pending",
    claimed: "Sending",
    retrying: "Retrying",
    sent: "Sent",
    failed: "Failed",
    skipped: "Skipped",
    uncertain: "Uncertain",
  },
  states: {
    draft: "Draft",
    preparing: "Preparing",
    scheduled: "Scheduled",
    sending: "Sending",
    paused: "Paused",
    finished: "Finished",
    cancelled: "Cancelled",
  },
  reasons: {
    unsubscribed: "unsubscribed",
    suppressed: "on the suppression list",
    erased: "the person was erased",
    invalid: "invalid address",
    cancelled: "cancelled",
    duplicate: "the same person has one at another address",
    "no-invitation": "joined, or invited otherwise",
    // Of automatic emails.
    bounced: "the mailbox does not exist",
    restored: "a backup was restored",
    gone: "nobody is signed up with this address any more",
    "rule-off": "the automatic email was turned off",
    "daily-limit": "the address got another automatic email that day",
    "too-late": "could not be sent within three days",
  },
  /** Recipients counted at the confirmation who had left the list when the audience was prepared. */
  left: (count: number) => `${grouped(count)} left before it was sent`,
  /** Follows the number of recipients: the people left out of it. Empty when there are none. */
  leftOut: (stats: OutreachCounts) => listLeftOut(stats).join(", "),
  /** "2 sent, 1 skipped (1 unsubscribed)." */
  sentence: (stats: OutreachCounts) => {
    const parts = [
      `${grouped(stats.sent)} sent`,
      ...listLeftOut(stats),
      stats.failed && `${grouped(stats.failed)} failed`,
      stats.uncertain && `${grouped(stats.uncertain)} uncertain`,
      stats.pending && `${grouped(stats.pending)} waiting`,
    ];
    return `${parts.filter(Boolean).join(", ")}.`;
  },
} as const;

function listLeftOut(stats: OutreachCounts): string[] {
  const reasons = formatSkipReasons(stats.skippedByReason);
  return [
    ...(stats.skipped ? [`${grouped(stats.skipped)} skipped (${reasons})`] : []),
    ...(stats.goneSinceReview ? [campaignStatusMessages.left(stats.goneSinceReview)] : []),
  ];
}

type OutreachCounts = Pick<
  CampaignStats,
  "sent" | "skipped" | "failed" | "uncertain" | "pending" | "skippedByReason" | "goneSinceReview"
>;

/** Meanings of enhanced status codes (RFC 3463) that operators meet. */
const STATUS_WORDS: Record<string, string> = {
  "5.1.1": "No such mailbox",
  "5.1.2": "No such email domain",
  "5.1.10": "No such email domain",
  "5.2.1": "Mailbox disabled",
  "5.2.2": "Mailbox full",
  "5.2.3": "Message too large",
  "5.3.4": "Message too large",
  "5.7.1": "Refused by policy",
};

/** Explains a mail server's reply: "No such mailbox (550 5.1.1)"; an unknown one as it came, without addresses. */
export function failureReason(detail: string): string {
  const [code = "", , status = ""] = /^(\d{3}[ -])?(5\.\d{1,3}\.\d{1,3})\b/.exec(detail) ?? [];
  const words = STATUS_WORDS[status];
  return words ? `${words} (${code.replace("-", " ")})` : detail.replace(/<?[^\s<>@]+@[^\s<>@]+>?/g, "…");
}

/** Formats the counts of skip reasons: "2 unsubscribed, 1 suppressed"; empty when there are none. */
export function formatSkipReasons(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${grouped(count)} ${skipReason(reason)}`)
    .join(", ");
}

/** Returns the label of a skip reason; an unknown reason is shown as it is. */
export function skipReason(reason: string): string {
  const words: Record<string, string> = campaignStatusMessages.reasons;
  return words[reason] ?? reason;
}
