import { grouped } from "~/lib/format-number";

const submissions = (count: number) => `${grouped(count)} ${count === 1 ? "submission" : "submissions"}`;

/** What is said of submissions that look like a program's. */
export const quarantineMessages = {
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
  allThatMatch: (count: number) => `All ${grouped(count)} that match`,
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
  andMore: (count: number) => `and ${grouped(count)} more`,
  arrivals: "What arrives meanwhile is not touched.",
  keep: "Leave them here",
  of: {
    "early-access": (count: number) => `${grouped(count)} early access ${count === 1 ? "signup" : "signups"}`,
    "contact-form": (count: number) => `${grouped(count)} contact ${count === 1 ? "inquiry" : "inquiries"}`,
    "updates-signup": (count: number) => `${grouped(count)} updates ${count === 1 ? "signup" : "signups"}`,
  },
  released: "Released. What you chose now stands with the other submissions.",
  purged: "Purged. What you chose is gone for good.",
  nothingTicked: "Nothing was ticked, so nothing was changed. Tick the submissions you mean first.",
  alreadySettled: "Nothing of that waits here any more, so nothing was changed.",
} as const;
