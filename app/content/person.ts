import { formatCount, grouped } from "~/lib/format-number";
import { submissions } from "./submissions";

export const personMessages = {
  title: "Person",
  /** Followed by the address. */
  everythingAbout: "Everything we hold about",
  export: "Download all as JSON",
  erase: "Erase this person",
  formStates: {
    quarantined: "In quarantine",
    unconfirmed: "Waiting for confirmation",
    deleted: "Deleted, can be restored",
  },
  address: "Address",
  consent: "Consent",
  importedFrom: "Imported from",
  consentDetails: (version: string, network: string) =>
    `Version ${version}, from the network ${network || "unknown"}`,
  noConsent: "Not requested.",
  toQuarantine: "See the quarantine",
  untitled: "An untitled campaign",
  facts: {
    title: "At a glance",
    address: "Address",
    formerAddresses: "Former addresses",
    company: "Company",
    role: "Role",
    domain: "Domain",
    firstSignup: "First signup",
    never: "None was accepted yet.",
    sent: "Sent by this person",
    submissions: (count: number, isMore: boolean) =>
      isMore ? `More than ${submissions(count)}` : submissions(count),
    emails: "Sent to this person",
    emailCount: (count: number) =>
      count === 0
        ? "No campaign emails."
        : `${count >= 1000 ? `At least ${grouped(count)}` : grouped(count)} campaign ${count === 1 ? "email" : "emails"}.`,
    otherEmailCount: (count: number) =>
      `${count >= 50 ? `At least ${grouped(count)}` : grouped(count)} other ${count === 1 ? "email" : "emails"}.`,
    outbox: (count: number) => `${count >= 50 ? `At least ${grouped(count)}` : grouped(count)} in the outbox`,
    confirmation: "Confirmation by email",
    neverRequested: "Not requested.",
    requested: "Requested",
    confirmed: "confirmed",
    notConfirmed: "not confirmed yet",
    suppression: "Suppression",
    getsEmails: "None: this address gets emails.",
    reports: "Bounces and complaints",
    noReports: "None.",
    reportCount: (count: number) => `${count >= 50 ? "At least " : ""}${formatCount(count, "report")}.`,
    devices: "Devices",
    devicesAreAnonymous:
      "Devices are registered without a name or an address, so none can be linked to this person.",
  },
  toSuppressions: "See the suppression list",
  timeline: {
    title: "Timeline",
    cut: "The newest 50 of each kind are shown. The download includes all of them.",
    kept: "Emails of the API are listed for 24 hours, confirmations, tests and other single emails for 30 days, automatic emails, reminders and invitations sent again as long as the person; Activity has them for longer.",
    campaign: "Campaign email",
    former: "Former address:",
    emails: {
      confirmation: "Confirmation email",
      incident: "Incident email",
      test: "Test email",
      api: "Email sent through the API",
      invitation: "Invitation to the back office",
      "email-change": "Email about a change of address",
      "email-changed": "Email about a changed address",
      "thank-you": "Thank-you email",
      welcome: "Welcome email",
      receipt: "Receipt",
      alert: "Alert to an operator",
      "wave-invitation": "Invitation sent again",
      "wave-reminder": "Reminder of the invitation",
    },
    stored: "Email in the outbox",
    noSubject: "An email without a subject",
    seeEmail: "See the email",
    reports: { bounce: "Bounced", complaint: "Complained" },
    suppressed: "Added to the suppression list",
    confirmationRequested: "Confirmation requested",
    confirmed: "Address confirmed",
    note: "Note",
    by: "by",
    removeNote: "Remove",
    corrected: (fields: readonly string[]) => `Corrected: ${fields.join(", ")}`,
    merged: "Merged with another person",
    fields: { name: "name", email: "address", company: "company", role: "role" },
    empty: "empty",
    undone: "Undone",
    undo: "Undo",
    reason: "Reason",
    formerAddress: "Address before",
  },
  note: {
    label: "Add a note",
    hint: "Colleagues see it here. It is part of the download.",
    add: "Add note",
    question: "Remove this note?",
    removed: "The note is removed permanently. This cannot be undone.",
    keep: "Keep it",
    remove: "Remove note",
  },
  edit: {
    open: "Edit",
    title: "Correct this person",
    about:
      "The corrected values replace those in the person's forms. Activity keeps the old ones, also after an erasure: entries are never changed.",
    aboutAddress:
      "A new address counts as not confirmed. An opt-out comes along, and emails not sent yet go to the new address.",
    copies: "Copies in the mirror keep the old values.",
    name: "Name",
    email: "Address",
    company: "Company",
    role: "Role",
    noRole: "Not given",
    reason: "Reason",
    reasonHint: "Kept in Activity.",
    save: "Save correction",
    cancel: "Cancel",
    unknownRole: "Please choose one of the roles.",
    stale:
      "A colleague corrected this person in the meantime. Nothing was saved: check the values and save again.",
    changedMeanwhile: (value: string) =>
      value === ""
        ? "A colleague emptied this. Saving replaces it."
        : `A colleague changed this to "${value}". Saving replaces it.`,
    problems: {
      unchanged: "These are the values already, so nothing was changed.",
      "too-many":
        "This person has more than 200 submissions, which cannot be corrected together. Delete those that are not needed first.",
      "email-in-progress":
        "An email to this person is being sent right now, so nothing was changed. Try again in half a minute.",
    },
  },
  merge: {
    question: (name: string) => `This address already belongs to ${name}. Merge the two?`,
    forms: (count: number, isMore: boolean) =>
      isMore ? `more than ${submissions(count)}` : submissions(count),
    stays: "the person that stays",
    joins: "added to the person above",
    what: "All submissions, consents, notes and corrections of both are kept. Name, company and role are those of the newest form.",
    suppression: "If one of them opted out, the merged person gets no emails.",
    yes: "Merge the two",
    no: "Cancel",
    back: "Change what I typed",
  },
  question: "Erase this person?",
  lost: (forms: number, isMore: boolean) =>
    `${isMore ? `More than ${submissions(forms)}` : submissions(forms)} and their consent records will be erased permanently. This cannot be undone.`,
  lostEmails: (emails: number) =>
    emails === 0
      ? "No campaign email was sent to them."
      : `Their name and address are erased from ${emails >= 1000 ? "at least " : ""}${formatCount(emails, "delivery", "deliveries")} of campaigns. The deliveries stay in the totals; those not sent yet count as skipped.`,
  lostElse:
    "The confirmation of their signup, reported bounces and complaints, notes, corrections, and their emails in the outbox are erased too, those of former addresses among them.",
  staysTitle: "What stays",
  staysOptOut:
    "Their address stays on the suppression list because they unsubscribed. This makes sure they are not emailed again.",
  suppressionGoes:
    "Their address is removed from the suppression list: it was not there because they unsubscribed.",
  staysActivity:
    "Activity keeps its earlier entries about this address: entries are never changed. The erasure is recorded without the address.",
  staysElsewhere:
    "Emails already delivered, downloaded files, backups and the logs of your mail server are not affected.",
  /** What happens to the person's rows in a mirror. */
  copies: {
    emptied: "Their rows in the mirror are cleared as soon as it can be written. Its version history stays.",
    listed: "Their rows in the mirror stay until somebody removes them there. Mirrors lists them.",
  },
  keep: "Keep everything",
} as const;
