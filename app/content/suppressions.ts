import { grouped } from "~/lib/format-number";

const addresses = (count: number) => `${grouped(count)} ${count === 1 ? "address" : "addresses"}`;
const are = (count: number) => (count === 1 ? "is" : "are");
const lines = (count: number) => `${grouped(count)} ${count === 1 ? "line" : "lines"}`;

/** What the back office says about the addresses that get no mail any more. */
export const suppressionMessages = {
  title: "Suppressions",
  /** Goes on with how long ago. */
  state: "Addresses here get no mail, whatever is sent.",
  newestCame: "The newest came",
  emptyTitle: "Who will stand here",
  empty:
    "An address comes here by itself when its owner unsubscribes or complains, and when a mail server says for good that there is no such mailbox. You can also add addresses by hand or from a file. From then on every send leaves them out and counts them as skipped.",
  noMatch: "No address here matches.",
  showAll: "Show all",
  noOlder: "There are no older ones.",
  toNewest: "To the newest",
  add: "Add addresses",
  exportAll: "Download all as CSV",
  exportThese: "Download these as CSV",
  filter: "Filter the suppressions",
  search: "Address begins with",
  reason: "Because",
  any: "Any reason",
  tableCaption: "Addresses that get no mail, newest first",
  columns: ["Tick", "Address", "Why", "From the send", "When"],
  tick: (address: string) => `Tick ${address}`,
  noCampaign: "no send",
  untitled: "a send without a title",
  reasons: {
    unsubscribed: "Unsubscribed",
    complained: "Complained",
    refused: "Refused by a mail server",
    bounced: "Bounced",
    added: "Added by hand",
    imported: "Imported",
  },
  /** Beside another reason. */
  optedOutToo: "Also opted out",
  entries: "addresses",
  shown: (count: number) => `${addresses(count)} on this page`,
  ticked: "Ticked",
  release: "Release",
  nothingTicked: "Nothing was ticked, so nothing was changed. Tick the addresses you mean first.",
  released: "Released. From the next send on they get mail again, where they signed up for it.",
  alreadyReleased: "None of these stand here any more, so nothing was changed.",
  question: (count: number) => `Release ${addresses(count)}?`,
  consequence: (count: number) =>
    `${count === 1 ? "It gets" : "They get"} mail again from the next send on, where ${count === 1 ? "it" : "they"} signed up for it. What a send has skipped stays skipped.`,
  optedOut: (count: number) =>
    `The ${count === 1 ? "person" : "people"} behind ${grouped(count)} of these asked for no more mail. Writing there again is against what they said.`,
  because: "Why this is right",
  becauseHint: "It stands in Activity, with your name.",
  becauseMissing: "Please say why: it is kept beside what you do.",
  keep: "Leave them here",
  addPage: {
    title: "Add suppressions",
    state: "From the next mail on, these addresses get none.",
    back: "Back to the suppressions",
    oneTitle: "One address",
    address: "Email address",
    note: "Note",
    noteHint: "Such as who asked for it, and how.",
    addOne: "Add this address",
    manyTitle: "Many addresses",
    list: "Addresses",
    listHint: "One a line, or lines of a CSV file whose first column is the address.",
    file: "Or a CSV file",
    fileHint: "UTF-8, up to 2 MB, the address in the first column. Our own export fits.",
    addMany: "Add these addresses",
    nothingGiven: "Please paste addresses here, or choose a file below.",
    added: (count: number) => `${addresses(count)} added.`,
    alreadyThere: (count: number) => `${addresses(count)} ${are(count)} there already.`,
    notAddresses: (count: number) =>
      `${lines(count)} ${count === 1 ? "is" : "are"} no address. ${count === 1 ? "It is" : "They are"} kept below: correct and send ${count === 1 ? "it" : "them"} again.`,
    /** When there are too many to show. */
    firstKept: (kept: number) =>
      `The first ${grouped(kept)} are kept below: correct and send them again, the rest from your file.`,
    stillWrong: "Each of these lines needs one address like name@example.com.",
    line: (line: number) => `Line ${grouped(line)}`,
    more: (count: number) => `and ${grouped(count)} more`,
  },
} as const;
