import { grouped } from "~/lib/format-number";
import { counts, submissions } from "./submissions";

export const quarantineMessages = {
  title: "Quarantine",
  nothingToReview: "Nothing to review.",
  toReview: (count: number) =>
    `${submissions(count)} ${count === 1 ? "looks automated and needs" : "look automated and need"} your review.`,
  /** Followed by a relative time. */
  lastReceived: "Last received",
  emptyTitle: "Nothing in quarantine yet",
  empty:
    "Submissions that look automated appear here: those with the hidden field filled in, sent within two seconds of opening the form, or not sent from our form at all. Their senders see the same answer as everybody, but get no emails until you release the submission here. Purge what was not written by a person.",
  noMatch: "Nothing in quarantine matches.",
  showAll: "Show all",
  filterByForm: "Form",
  filterByReason: "Reason",
  any: "All",
  forms: { "early-access": "Early access", "contact-form": "Contact", "updates-signup": "Updates" },
  /** The reasons for suspicion, in the column and in the filter. */
  reasons: {
    honeypot: { cell: "Filled in the hidden field", filter: "Hidden field" },
    "too-fast": { cell: "Sent within two seconds", filter: "Too fast" },
    "forged-form": { cell: "Not sent from our form", filter: "Not our form" },
  },
  tableCaption: "Submissions in quarantine, newest first",
  columns: ["Name and email", "Form", "Message", "Reason", "Received"],
  select: (sender: string) => `Select the submission of ${sender}`,
  selectAll: "Select all",
  allThatMatch: (count: number) => `All ${grouped(count)} that match`,
  release: "Release",
  purge: "Purge",
  /** The accessible name of the link to a confirmation step. */
  ask: (verb: string, count: number) => `${verb} all ${submissions(count)}`,
  question: (verb: string, count: number) => `${verb} ${submissions(count)}?`,
  consequence: {
    release:
      "will join the other submissions of their form, and their senders will get your emails. They cannot be moved back into quarantine.",
    /** Where signups of a form in the selection need a confirmation. */
    "release-unconfirmed":
      "will leave quarantine, and cannot be moved back. Signups that need a confirmation will wait for it, under Unconfirmed, and their senders get your emails only after it. All others will join the other submissions of their form, and their senders will get your emails.",
    purge: "will be deleted permanently, together with their consent records. This cannot be undone.",
  },
  andMore: (count: number) => `and ${grouped(count)} more`,
  arrivals: "New submissions are not affected.",
  keep: "Keep them here",
  of: counts,
} as const;
