import { formatCount, grouped } from "~/lib/format-number";
import { submissions } from "./submissions";

export const personMessages = {
  title: "Person",
  /** Followed by the address. */
  everythingAbout: "Everything we hold about",
  export: "Download all as JSON",
  erase: "Erase this person",
  formsTitle: "Submissions",
  newestForms: (shown: number) =>
    `The newest ${grouped(shown)} are shown. The download includes all of them.`,
  formStates: {
    quarantined: "In quarantine",
    unconfirmed: "Waiting for confirmation",
    deleted: "Deleted, can be restored",
  },
  address: "Address",
  consent: "Consent",
  consentDetails: (version: string, network: string) =>
    `Version ${version}, from the network ${network || "unknown"}`,
  noConsent: "Not requested.",
  toQuarantine: "See the quarantine",
  emailsTitle: "Campaign emails",
  emailsShown: (shown: number, total: number) =>
    shown < total
      ? `The newest ${grouped(shown)} of ${grouped(total)}. The download includes all of them.`
      : `${formatCount(total, "email")} of campaigns.`,
  noEmails: "No campaign emails were sent to this address, and none are waiting.",
  otherEmails: "Emails sent through the API and test emails are recorded in Activity, not here.",
  columns: { send: "Campaign", state: "Status", detail: "Reason", at: "Updated" },
  untitled: "An untitled campaign",
  outboxName: "Outbox",
  outbox: (count: number) =>
    `${formatCount(count, "email")} to this address ${count === 1 ? "is" : "are"} kept in the outbox.`,
  emailAndDevicesTitle: "Email and devices",
  confirmation: "Confirmation by email",
  neverRequested: "Not requested.",
  requested: "Requested",
  confirmed: "confirmed",
  notConfirmed: "not confirmed yet",
  suppression: "Suppression",
  getsEmails: "None: this address gets emails.",
  optedOut: "Unsubscribed",
  toSuppressions: "See the suppression list",
  reports: "Bounces and complaints",
  noReports: "No bounces or complaints.",
  reportKinds: { bounce: "Bounced", complaint: "Complained" },
  devices: "Devices",
  devicesAreAnonymous:
    "Devices are registered without a name or an address, so none can be linked to this person.",
  question: "Erase this person?",
  lost: (forms: number, isMore: boolean) =>
    `${isMore ? `More than ${submissions(forms)}` : submissions(forms)} and their consent records will be erased permanently. This cannot be undone.`,
  lostEmails: (emails: number) =>
    emails === 0
      ? "No campaign email was sent to them."
      : `Their name and address are erased from ${formatCount(emails, "delivery", "deliveries")} of campaigns. The deliveries stay in the totals; those not sent yet count as skipped.`,
  lostElse:
    "The confirmation of their signup, reported bounces and complaints, and their emails in the outbox are erased too.",
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
