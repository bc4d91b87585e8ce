import { grouped } from "~/lib/format-number";

export const mirrorMessages = {
  title: "Mirrors",
  state: (name: string) =>
    `Every accepted submission is copied to ${name} automatically. Signups and campaigns never wait for a copy.`,
  names: { "google-sheets": "Google Sheets", "web-endpoint": "your web endpoints" },
  forms: { "early-access": "Early access", "contact-form": "Contact", "updates-signup": "Updates" },
  emptyTitle: "No mirror is set up",
  empty:
    "A mirror keeps a copy of every submission where others can work with it, such as a spreadsheet. Set SUBMISSION_MIRROR to choose one; see docs/mirrors.md.",
  badges: {
    connecting: "Connecting",
    synced: "In sync",
    waiting: (count: number, isMore: boolean) => `${grouped(count)}${isMore ? "+" : ""} waiting`,
    drifted: (count: number) => `${grouped(count)} drifted`,
    undecided: "Needs review",
    stopped: "Stopped",
    delayed: "Delayed",
  },
  lastWrite: "Last write",
  lastCheck: "Last check",
  never: "never",
  cannotBeRead: "It cannot be read back, so changes made there are not detected.",
  stopped: "Nothing is written until this is fixed and somebody presses “Try again”:",
  delayed: "Failed, retrying",
  repairUnderWay: "A repair is in progress.",
  drift: (count: number) =>
    `${grouped(count)} of our rows ${count === 1 ? "was" : "were"} changed or removed there.`,
  repair: "Repair",
  repairLabel: (form: string) => `Repair the copy of ${form}`,
  tryAgain: "Try again",
  tryAgainLabel: (form: string) => `Try again: ${form}`,
  question: {
    title: (form: string) => `Repair the copy of ${form}?`,
    places: [
      "The whole sheet is read. Rows people added become submissions here; nobody is emailed.",
      "Our rows that were changed or removed are written again in their place. What was typed over them is lost there; people we did not know are imported first and get a row below.",
    ],
    appends: [
      "The whole sheet is read. Rows people added become submissions here; nobody is emailed.",
      "Our rows that are missing are sent again and appended. A changed row is sent again too; the changed one stays as it is.",
    ],
    keep: "Do not repair",
    yes: "Repair",
  },
  undecided: {
    title: (form: string) => `Rows of ${form} to review`,
    moreFollow: "More rows follow once these are decided.",
    uncertain: "Sent, but not confirmed: check whether it is there.",
    refused: "Rejected by the other side.",
    left: "Deleted here. It may still be there; only a person can remove it there.",
    isThere: "It is there",
    again: "Write again",
    isGone: "It was removed",
    erased: "A person deleted here",
    row: (place: number) => `written as number ${grouped(place)}`,
    of: (answer: string, who: string) => `${answer}: ${who}`,
  },
} as const;
