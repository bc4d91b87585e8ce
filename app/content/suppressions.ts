import { formatCount, grouped } from "~/lib/format-number";

const addresses = (count: number) => formatCount(count, "address", "addresses");
const are = (count: number) => (count === 1 ? "is" : "are");
const lines = (count: number) => formatCount(count, "line");

export const suppressionMessages = {
  title: "Suppressions",
  state: "Addresses here get no emails.",
  /** Followed by a relative time. */
  lastAdded: "Last added",
  emptyTitle: "No suppressed addresses yet",
  empty:
    "Addresses appear here when people unsubscribe or complain, or their mailbox does not exist. You can also add addresses or import a file. Campaigns skip them.",
  noMatch: "No addresses match.",
  showAll: "Show all",
  add: "Add addresses",
  filter: "Filter the suppression list",
  search: "Address starts with",
  reason: "Reason",
  any: "Any reason",
  tableCaption: "Suppressed addresses",
  columns: ["Address", "Reason", "Source", "Added"],
  select: (address: string) => `Select ${address}`,
  noCampaign: "No campaign",
  untitled: "an untitled campaign",
  reasons: {
    unsubscribed: "Unsubscribed",
    complained: "Complained",
    refused: "Rejected by a mail server",
    bounced: "Bounced",
    added: "Added manually",
    imported: "Imported",
  },
  /** Beside another reason. */
  optedOutToo: "Also unsubscribed",
  entries: "addresses",
  shown: (count: number) => `${addresses(count)} on this page`,
  release: "Release",
  question: (count: number) => `Release ${addresses(count)}?`,
  consequence: (count: number) =>
    `${count === 1 ? "It gets" : "They get"} emails again from the next campaign on, if ${count === 1 ? "its owner" : "their owners"} signed up. Earlier campaigns stay as they are.`,
  optedOut: (count: number) =>
    `The ${count === 1 ? "person" : "people"} behind ${grouped(count)} of these unsubscribed. Emailing them again goes against their wish.`,
  because: "Reason for the release",
  becauseHint: "Recorded in Activity with your name.",
  becauseMissing: "Please give a reason. It is recorded in Activity.",
  keep: "Keep them here",
  addPage: {
    title: "Add suppressions",
    state: "These addresses get no more emails.",
    oneTitle: "One address",
    address: "Email address",
    note: "Note",
    noteHint: "For example who asked for it, and how.",
    addOne: "Add this address",
    manyTitle: "Many addresses",
    list: "Addresses",
    listHint: "One per line, or lines of a CSV file with the address in the first column.",
    file: "Or a CSV file",
    fileHint:
      "UTF-8 or UTF-16, up to 2 MB, the address in the first column. Files exported here work as they are.",
    /** A file in another encoding. */
    fileEncoding: (line: number) =>
      `Line ${grouped(line)} of the file is not in UTF-8 or UTF-16. Save the file as UTF-8 and choose it again; nothing was added.`,
    addMany: "Add these addresses",
    nothingGiven: "Please paste addresses here, or choose a file below.",
    added: (count: number) => `${addresses(count)} added.`,
    alreadyThere: (count: number) => `${addresses(count)} ${are(count)} already on the list.`,
    notAddresses: (count: number) =>
      `${lines(count)} ${count === 1 ? "is not an address" : "are not addresses"}.`,
    allKept: (count: number) =>
      count === 1
        ? "It is kept below: correct and send it again."
        : "They are kept below: correct and send them again.",
    /** When there are too many to show. */
    firstKept: (kept: number) =>
      `The first ${grouped(kept)} are kept below: correct and send them again, the rest from your file.`,
    stillWrong: "Each of these lines needs one address like name@example.com.",
    line: (line: number) => `Line ${grouped(line)}`,
    fileLine: (line: number) => `File, line ${grouped(line)}`,
    more: (count: number) => `and ${grouped(count)} more`,
  },
} as const;
