import { formatCount, grouped } from "~/lib/format-number";

const addresses = (count: number) => formatCount(count, "address", "addresses");
const are = (count: number) => (count === 1 ? "is" : "are");
const lines = (count: number) => formatCount(count, "line");

/** Texts of the Suppressions screen. */
export const suppressionMessages = {
  reasons: {
    unsubscribed: "Unsubscribed",
    complained: "Complained",
    refused: "Rejected by a mail server",
    bounced: "Bounced",
    added: "Added manually",
    imported: "Imported",
  },
  consequence: (count: number) =>
    `${count === 1 ? "It gets" : "They get"} emails again from the next campaign on, if ${count === 1 ? "its owner" : "their owners"} signed up. Earlier campaigns stay as they are.`,
  optedOut: (count: number) =>
    `The ${count === 1 ? "person" : "people"} behind ${grouped(count)} of these unsubscribed. Emailing them again goes against their wish.`,
  addPage: {
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
    line: (line: number) => `Line ${grouped(line)}`,
    more: (count: number) => `and ${grouped(count)} more`,
  },
} as const;
