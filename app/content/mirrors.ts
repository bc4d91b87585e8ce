import { grouped } from "~/lib/format-number";

const rows = (count: number) => `${grouped(count)} ${count === 1 ? "row" : "rows"}`;

/** What the back office says about the copies of the submissions elsewhere. */
export const mirrorMessages = {
  title: "Mirrors",
  also: "spreadsheet google sheets copy repair drift",
  state: (name: string) =>
    `Every accepted submission is copied to ${name} by itself. What is here counts: signups and sends never wait for a copy.`,
  names: { "google-sheets": "Google Sheets", "web-endpoint": "your web endpoints" },
  /** In the status bar. */
  short: { "google-sheets": "Google Sheets", "web-endpoint": "web endpoint" },
  forms: { "early-access": "Early access", "contact-form": "Contact", "updates-signup": "Updates" },
  emptyTitle: "No mirror is set up",
  empty:
    "A mirror keeps a copy of every submission where others can work with it, such as a spreadsheet. Whoever runs this server chooses one with SUBMISSION_MIRROR; docs/mirrors.md says how.",
  badges: {
    connecting: "Connecting",
    synced: "In sync",
    waiting: (count: number, isMore: boolean) => `${grouped(count)}${isMore ? "+" : ""} waiting`,
    drifted: (count: number) => `${grouped(count)} drifted`,
    undecided: "Waits for you",
    stopped: "Stopped",
    delayed: "Delayed",
  },
  lastWrite: "Last write",
  lastCheck: "Last compared",
  never: "never",
  cannotBeRead: "It cannot be read back, so nobody here sees what is changed there by hand.",
  stopped: "Nothing is written until somebody mends this and presses “Try again”:",
  delayed: "It goes on by itself; tried again",
  repairUnderWay: "A repair is under way.",
  drift: (count: number) =>
    `${rows(count)} of ours ${count === 1 ? "was" : "were"} changed or taken away there by hand.`,
  repair: "Repair",
  repairLabel: (form: string) => `Repair the copy of ${form}`,
  tryAgain: "Try again",
  tryAgainLabel: (form: string) => `Try again: ${form}`,
  question: {
    title: (form: string) => `Repair the copy of ${form}?`,
    places: [
      "All of the sheet is read. What people added to it becomes submissions here, without a mail to anybody.",
      "Rows of ours that were changed or taken away are written again where they belong. What was typed over them is lost there; a person nobody here knows yet is taken over first and gets a row below.",
    ],
    appends: [
      "All of the sheet is read. What people added to it becomes submissions here, without a mail to anybody.",
      "Rows of ours that are not there any more are sent again and stand at its end. A row that was changed by hand is sent again too; the changed one stays.",
    ],
    keep: "Leave it as it is",
    yes: "Repair",
  },
  undecided: {
    title: (form: string) => `Rows of ${form} that wait for you`,
    uncertain: "Sent, and no answer came: look whether it stands there.",
    refused: "The other side does not want it.",
    left: "Deleted here. It may still stand there, and only a person can take it away.",
    isThere: "It is there",
    again: "Write again",
    isGone: "It is taken away",
    erased: "Somebody who is deleted here",
    row: (place: number) => `written as number ${grouped(place)}`,
    of: (answer: string, who: string) => `${answer}: ${who}`,
  },
  notices: {
    repair: "The repair is ordered. It begins within a second; this page shows how it goes.",
    again: "It is tried again.",
    decided: "Noted.",
    gone: "That row waits for no answer any more, so nothing was changed.",
  },
} as const;
