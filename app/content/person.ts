import { grouped } from "~/lib/format-number";

const submissions = (count: number) => `${grouped(count)} ${count === 1 ? "submission" : "submissions"}`;

/** What the page of one person says. */
export const personMessages = {
  title: "Person",
  /** Goes on with the address. */
  keptOf: "Everything we hold about",
  export: "Download all as JSON",
  erase: "Erase this person",
  formsTitle: "What they sent",
  /** How many are shown when there are more. */
  newestForms: (shown: number) => `The newest ${grouped(shown)} are shown. The download has all of them.`,
  formStates: {
    accepted: "Accepted",
    quarantined: "In quarantine",
    unconfirmed: "Waits for confirmation",
    deleted: "Deleted, can be brought back",
  },
  fields: { name: "Name", company: "Company", role: "Role", inquiryType: "Inquiry type", message: "Message" },
  address: "Address",
  consent: "Consent",
  consentOf: (version: string, network: string) =>
    `Version ${version}, from the network ${network || "unknown"}`,
  noConsent: "None was asked for.",
  toQuarantine: "See the quarantine",
  mailsTitle: "Mails to them",
  mailsShown: (shown: number, total: number) =>
    shown < total
      ? `The newest ${grouped(shown)} of ${grouped(total)}. The download has all of them.`
      : `${grouped(total)} ${total === 1 ? "mail" : "mails"} of sends`,
  noMails: "No send has gone to this address, and none is waiting to.",
  columns: { send: "Send", state: "State", detail: "What the mail server said", at: "When" },
  untitled: "A send without a title",
  outboxName: "Outbox",
  outbox: (count: number) =>
    `${grouped(count)} ${count === 1 ? "mail" : "mails"} to this address ${count === 1 ? "is" : "are"} kept in the outbox.`,
  standingTitle: "Mail and devices",
  confirmation: "Confirmation by mail",
  neverAsked: "Was never asked.",
  asked: "Asked",
  confirmed: "confirmed",
  notConfirmed: "not confirmed so far",
  suppression: "Suppression",
  getsMail: "None: this address gets mail.",
  optedOut: "Asked for no more mail",
  toSuppressions: "See the suppressions",
  reports: "Reported later",
  noReports: "No bounce and no complaint.",
  reportKinds: { bounce: "Bounced", complaint: "Complained" },
  devices: "Devices",
  devicesAreAnonymous:
    "Devices that take push messages are registered without a name or an address, so none can be told to be theirs.",
  question: "Erase this person?",
  lost: (forms: number, isMore: boolean) =>
    `${isMore ? `More than ${submissions(forms)}` : submissions(forms)} with all that was typed, and the consent each came with, will be erased for good. Nobody can bring that back.`,
  lostMails: (mails: number) =>
    mails === 0
      ? "No send has a row of theirs."
      : `In ${grouped(mails)} ${mails === 1 ? "row" : "rows"} of sends their name and address are erased. The rows stay, so that the books balance; what did not go out counts as skipped.`,
  lostElse:
    "The confirmation of their signup, what was reported of their mails, and mails to them that are kept in the outbox are erased too.",
  staysTitle: "What stays",
  staysOptOut:
    "Their address stays on the suppression list, because they asked for no more mail: only so are they not written to again.",
  suppressionGoes:
    "They leave the suppression list, where they stand for another reason than their own wish.",
  staysActivity:
    "What Activity says of this address so far stays: it is never changed. That they were erased is noted there without their address.",
  staysElsewhere:
    "Mails that arrived, copies somebody downloaded, backups and the logs of your mail server are beyond this page.",
  /** What becomes of their rows in a mirror. */
  copies: {
    emptied:
      "Their rows in the mirror are emptied as soon as it can be written; its own history of versions stays.",
    listed: "Their rows in the mirror stay until a person takes them away there. Mirrors lists them.",
  },
  keep: "Keep everything",
  erased: "Erased. Nothing of this person is kept but what the question named.",
  gone: "Nothing is kept under that link. The person was erased, or what they sent was deleted.",
  mailUnderWay:
    "A mail to this person is being handed to the mail server this moment. Try again in half a minute: until then something of them is kept.",
} as const;
