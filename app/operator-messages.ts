import { brand } from "./brand";
import { messages } from "./messages";

const number = (value: number) => value.toLocaleString("en");
const submissions = (count: number) => `${number(count)} ${count === 1 ? "submission" : "submissions"}`;
const people = (count: number) => `${number(count)} ${count === 1 ? "recipient" : "recipients"}`;

/** What the back office says; messages.ts has the rest of the catalogue. */
export const operatorMessages = {
  backOffice: { title: (page: string) => `${page} · ${brand.name} back office` },
  outreach: {
    panelTitle: "Email Outreach",
    panelDescription: "One mail to each person of a group. Each gets it once, with a link to unsubscribe.",
    group: "Recipient group",
    testAddress: "Test email address",
    sendTest: "Send Test",
    title: "Email Title",
    message: "Email Message",
    messageHint:
      "Plain text; a blank line starts a paragraph, links become links, {{name}} becomes the person's name.",
    previewRecipients: "Preview Recipients",
    editMessage: "Edit Message",
    sendEmail: "Send Email",
    testSent: "Test email sent successfully!",
    testFailed: (reason: string) => `The test email was not sent. The mail server says: ${reason}`,
    sent: "Emails sent successfully",
    failed: "Error sending Emails",
    defaultTestSubject: `Test Email from ${brand.name}`,
    confirmTitle: "Confirm Email Send",
    confirm: (recipients: number) => `You are about to send an email to ${people(recipients)}.`,
    cannotBeUndone: "This action cannot be undone.",
    confirmQuestion: "Are you sure you want to proceed?",
    confirmYes: "Yes, Send Email",
    cancel: "Cancel",
    total: (count: number) => `${people(count)} in total`,
    skippedNow: (count: number) => `${number(count)} more will be skipped: unsubscribed or refused before.`,
    more: (count: number) => `And ${number(count)} more recipients...`,
    noRecipients: "Nobody in this group can get this mail yet, so nothing was sent.",
    notSendable: "This mail has no title or no message yet, so nothing was sent.",
    unknownSend: "This mail is not there any more, so nothing was sent. Please write it again.",
    audienceChanged: "The group changed while you were looking. Please check the number of recipients again.",
    preparing: (selected: number) => `Preparing the list of recipients: ${number(selected)} so far`,
    progress: (done: number, selected: number) =>
      `Sending emails: ${number(done)} of ${number(selected)} done`,
    retrying: (sent: number, selected: number) => `${number(sent)} of ${number(selected)} sent, retrying`,
    goesOn: "This goes on by itself; you may leave this page.",
    leave: "Hide and keep working",
    seeSend: "See each recipient",
  },
  outreachBooks: {
    recentTitle: "Latest sends",
    noSends: "What was sent will stand here, with who got it and who did not.",
    summary: (group: string, author: string) => `To ${group}, by ${author}.`,
    selected: "Selected",
    sent: "Sent",
    failed: "Failed",
    skipped: "Skipped",
    uncertain: "Uncertain",
    waiting: "Waiting",
    pausedBecause: "This send is paused. The mail server says:",
    waitsBecause: "The mail server cannot be reached; the send waits and goes on by itself. Last words:",
    pause: "Pause",
    resume: "Go on",
    retryFailed: "Try the failed again",
    cancel: "Cancel this send",
    cancelTitle: "Cancel this send?",
    cancelQuestion: (waiting: number) =>
      `${people(waiting)} will not get this mail. What was sent already cannot be taken back.`,
    keepSending: "Keep sending",
    uncertainQuestion: (count: number) =>
      `For ${people(count)} the connection broke before the mail server answered: the mail may have arrived or not.`,
    resend: "Send again to all of them",
    countAsSent: "Count all of them as sent",
    noRows: "No recipients here.",
    tableCaption: "Recipients of this send",
    address: "Address",
    state: "State",
    detail: "What happened",
    attempts: "Tries",
    more: "More recipients",
    rowStates: {
      pending: "Waiting",
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
      sending: "Sending",
      paused: "Paused",
      finished: "Finished",
      cancelled: "Cancelled",
    },
    reasons: {
      unsubscribed: "unsubscribed",
      suppressed: "refused before",
      invalid: "not a mailable address",
      cancelled: "cancelled",
    },
    /** "2 sent, 1 skipped (1 unsubscribed)." */
    sentence: (book: OutreachCounts) => {
      const reasons = Object.entries(book.skippedByReason).map(
        ([reason, count]) => `${number(count)} ${skipReason(reason)}`,
      );
      const parts = [
        `${number(book.sent)} sent`,
        ...(book.skipped ? [`${number(book.skipped)} skipped (${reasons.join(", ")})`] : []),
        ...(book.failed ? [`${number(book.failed)} failed`] : []),
        ...(book.uncertain ? [`${number(book.uncertain)} uncertain`] : []),
        ...(book.pending ? [`${number(book.pending)} waiting`] : []),
      ];
      return `${parts.join(", ")}.`;
    },
  },
  quarantine: {
    title: "Quarantine",
    nothingWaits: "Nothing waits.",
    waiting: (count: number) =>
      `${submissions(count)} ${count === 1 ? "looks like a program's and waits" : "look like a program's and wait"} for you to decide.`,
    /** Goes on with how long ago. */
    newestCame: "The newest came",
    emptyTitle: "What will wait here",
    empty:
      "A submission looks like a program's when the field people cannot see is filled in, when it is sent within two seconds of opening the form, or when it does not come from our form at all. Its sender sees the same answer as everybody, but it stands in no table and gets no mail until you release it here. What no person wrote you purge.",
    noMatch: "Nothing that waits matches.",
    showAll: "Show all that wait",
    noOlder: "There are no older ones.",
    toNewest: "To the newest",
    filterByForm: "Form",
    filterByReason: "Suspected because",
    any: "All",
    forms: { "early-access": "Early access", "contact-form": "Contact", "updates-signup": "Updates" },
    /** Why it is suspected, as a column and as a filter. */
    reasons: {
      honeypot: { cell: "Filled in the hidden field", filter: "Hidden field" },
      "too-fast": { cell: "Sent within two seconds", filter: "Too fast" },
      "forged-form": { cell: "Not sent from our form", filter: "Not our form" },
    },
    tableCaption: "Submissions in quarantine, newest first",
    columns: ["Tick", "Name and address", "Form", "What it says", "Why it is suspected", "When"],
    tick: (sender: string) => `Tick the submission of ${sender}`,
    tickAll: "Tick all",
    readAll: "Read all",
    readLess: "Less",
    ticked: "Ticked",
    allThatMatch: (count: number) => `All ${number(count)} that match`,
    release: "Release",
    purge: "Purge",
    /** The steps that ask first, as their links are heard. */
    ask: {
      release: (count: number) => `Release all ${submissions(count)}`,
      purge: (count: number) => `Purge all ${submissions(count)}`,
    },
    question: {
      release: (count: number) => `Release ${submissions(count)}?`,
      purge: (count: number) => `Purge ${submissions(count)}?`,
    },
    consequence: {
      release:
        "join the other submissions of their form, and their senders get your mails. They cannot be put back into quarantine.",
      purge:
        "will be deleted for good, with the record of the consent they came with. Nobody can bring them back.",
    },
    andMore: (count: number) => `and ${number(count)} more`,
    arrivals: "What arrives meanwhile is not touched.",
    keep: "Leave them here",
    of: {
      "early-access": (count: number) =>
        `${number(count)} early access ${count === 1 ? "signup" : "signups"}`,
      "contact-form": (count: number) => `${number(count)} contact ${count === 1 ? "inquiry" : "inquiries"}`,
      "updates-signup": (count: number) => `${number(count)} updates ${count === 1 ? "signup" : "signups"}`,
    },
    released: "Released. What you chose now stands with the other submissions.",
    purged: "Purged. What you chose is gone for good.",
    nothingTicked: "Nothing was ticked, so nothing was changed. Tick the submissions you mean first.",
    alreadySettled: "Nothing of that waits here any more, so nothing was changed.",
  },
  password: {
    mismatch: "New passwords don't match",
    noUser: "No user logged in",
    success: "Password reset successfully",
    failed: "Failed to reset password",
    exception: "An error occurred. Please try again.",
    /** The account endpoint's own words: the page shows its failure, its success is the log's. */
    endpoint: { updated: "Password updated successfully", notUpdated: "Failed to update password" },
    temporary:
      "You logged in with a temporary password. Choose one of your own first; the rest of the back office opens after that.",
    atLeast: (minLength: number) => `At least ${number(minLength)} characters.`,
    fields: {
      "current-missing": "Please enter the password you logged in with.",
      "current-wrong": "This is not your current password. Please enter the one you logged in with.",
      "next-missing": "Please choose a new password.",
      "next-same": "This is the password you have now. Please choose another one.",
      "confirm-missing": "Please enter the new password a second time.",
      "confirm-differs": "Please enter the new password again, exactly as above.",
    },
    /** What a password breaks of the policy. */
    problems: (minLength: number) => ({
      "too-short": `Please use at least ${number(minLength)} characters.`,
      "too-long": "Please use at most 1,000 characters.",
      common:
        "This is one of the 20,000 most common passwords, which are tried first. Please choose another one.",
      brand: "This is the product's own name, which is tried first. Please choose another password.",
    }),
    throttled: "There were too many tries. Nothing was changed; please wait 15 minutes.",
    busy: "The server is busy. Nothing was changed; please try again in a moment.",
    signedOut:
      "Your account was removed or its password replaced in the meantime. Nothing was changed; please log in again.",
  },
  users: {
    title: "User Management",
    addTitle: "Add a user",
    email: "Email Address",
    fullName: "Full Name",
    add: "Add New User",
    adding: "Adding...",
    note: "New users must change their password on first login. The temporary password is shown after creation, once.",
    seeAll: "See all users",
    total: (count: number) => `${number(count)} ${count === 1 ? "person" : "people"} can log in here.`,
    missing: "Please provide both email and full name",
    addFailed: "Failed to add user. Please try again.",
    addFailedAdvice: "Nothing was stored, and what you typed is still here.",
    created: "User created successfully",
    createFailed: "Failed to create user",
    emailTaken: (email: string) =>
      `There is an account for ${email} already. If its password is lost, reissue a temporary one below.`,
    reissued: "Temporary password reissued",
    reissueFailed: "No temporary password was reissued",
    cannotRemove: "Cannot remove superadmin users",
    removed: "User removed successfully",
    gone: "This user was removed already. Nothing more was changed.",
    issuedFor: (name: string, email: string) => `Temporary password for ${name} (${email})`,
    issuedUntil: "It has one login, until",
    issuedAdvice:
      "Hand it over by a way only the two of you read. It is kept nowhere and will not be shown again.",
    issuedHides: "Hidden after 5 seconds, unless you point at it, focus it or copy it.",
    issuedHidden:
      "The temporary password is hidden again. If it was not noted down, reissue one in the list below.",
    copy: "Copy",
    copied: "Copied",
    listTitle: "Users",
    you: "you",
    columns: {
      user: "User",
      created: "Created",
      lastLogin: "Last login",
      state: "State",
      actions: "Actions",
    },
    never: "never",
    createdAt: "created",
    states: {
      active: "active",
      notYet: "has not logged in yet",
      notYetExpires: "has not logged in yet, password expires",
      reissuedExpires: "has a temporary password, which expires",
      choosing: "logged in, but has not chosen a password yet",
      expired: "temporary password expired",
    },
    protections: {
      yourself: "Your own account cannot be removed.",
      superadmin: "Superadmins cannot be removed.",
      protected: "Protected by the server's settings, so it cannot be removed.",
    },
    reissue: "Reissue temporary password",
    reissueTitle: "Reissue the temporary password?",
    reissueQuestion: [
      "Their password stops working at once, and wherever they are logged in, that ends with their next click.",
      "You will see a temporary password for them, once. It has one login within 24 hours and must be changed there.",
    ],
    keepPassword: "Keep their password",
    remove: "Remove",
    removeTitle: "Remove this user?",
    removeQuestion: [
      "The account and its password are deleted, and wherever they are logged in, that ends with their next click.",
      "What they did stays on record, and mails they confirmed are still sent.",
      "This action cannot be undone: added again, the address becomes a new account with a new password.",
    ],
    keepUser: "Keep this user",
    removeYes: "Yes, Remove User",
    older: "Older users",
    newest: "Newest users",
  },
  sessions: {
    ended: "The session is ended. That browser has to log in again.",
    over: "That session was over already. Nothing was changed.",
    othersEnded: "All your other sessions are ended. Those browsers have to log in again.",
  },
  table: {
    more: (count: number) =>
      `${count.toLocaleString("en")} more entries not shown. View on larger screen for complete data.`,
  },
} as const;

interface OutreachCounts {
  sent: number;
  skipped: number;
  failed: number;
  uncertain: number;
  pending: number;
  skippedByReason: Record<string, number>;
}

/** A skip's reason in words; one this program does not know is shown as it stands. */
export function skipReason(reason: string): string {
  const words: Record<string, string> = operatorMessages.outreachBooks.reasons;
  return words[reason] ?? reason;
}

/** What a page says after a redirect to ?notice=<code>. */
export const notices = {
  confirmed: { kind: "success", text: messages.confirmUpdates.confirmed },
  "link-sent": { kind: "success", text: messages.confirmUpdates.newLinkSent },
  "no-user": { kind: "error", text: operatorMessages.password.noUser },
  "password-changed": { kind: "success", text: operatorMessages.password.success },
  "user-removed": { kind: "success", text: operatorMessages.users.removed },
  "user-gone": { kind: "error", text: operatorMessages.users.gone },
  "test-sent": { kind: "success", text: operatorMessages.outreach.testSent },
  "audience-changed": { kind: "error", text: operatorMessages.outreach.audienceChanged },
  "no-recipients": { kind: "error", text: operatorMessages.outreach.noRecipients },
  "not-sendable": { kind: "error", text: operatorMessages.outreach.notSendable },
  released: { kind: "success", text: operatorMessages.quarantine.released },
  purged: { kind: "success", text: operatorMessages.quarantine.purged },
  "nothing-ticked": { kind: "error", text: operatorMessages.quarantine.nothingTicked },
  "already-settled": { kind: "error", text: operatorMessages.quarantine.alreadySettled },
  "session-ended": { kind: "success", text: operatorMessages.sessions.ended },
  "session-over": { kind: "success", text: operatorMessages.sessions.over },
  "other-sessions-ended": { kind: "success", text: operatorMessages.sessions.othersEnded },
  "unknown-send": { kind: "error", text: operatorMessages.outreach.unknownSend },
} as const satisfies Record<string, { kind: "success" | "error"; text: string }>;

export type NoticeCode = keyof typeof notices;
