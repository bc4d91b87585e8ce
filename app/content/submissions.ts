import { capitalized } from "~/lib/capitalized";
import { grouped } from "~/lib/format-number";
import type { MatchCount } from "~/services/submissions/submissions.server";

const counted = ({ count, isMore }: MatchCount) => `${isMore ? "more than " : ""}${submissions(count)}`;

const submissions = (count: number) => `${grouped(count)} ${count === 1 ? "submission" : "submissions"}`;

const forms = {
  "early-access": "Early Access",
  "contact-form": "Contact Form",
  "updates-signup": "Updates",
} as const;

/** What the pictures on the dashboard say. */
export const chartMessages = {
  forms,
  form: "Form",
  count: "Submissions",
  countsTitle: "Submissions by Form",
  countsLabel: "Columns: how many submissions came by each of the three forms",
  countsEmpty: "Once somebody sends a form, this shows which of the three they use most.",
  overTimeTitle: "Signups over Time",
  overTimeLabel: (form: string, over: string) => `Columns: ${form} by ${over}`,
  overTimeEmpty: {
    day: "Nobody has sent a form in the last 30 days.",
    week: "Nobody has sent a form in the last 26 weeks.",
    month: "Nobody has sent a form in the last 12 months.",
  },
  since: {
    day: (count: number) => `${grouped(count)} in 30 days`,
    week: (count: number) => `${grouped(count)} in 26 weeks`,
    month: (count: number) => `${grouped(count)} in 12 months`,
  },
  lengths: { day: "By day", week: "By week", month: "By month" },
  periods: { day: "Day (UTC)", week: "Week from", month: "Month" },
  exactNumbers: "Exact numbers",
  all: "All",
} as const;

/** What the tables of submissions say, each on its page. */
export const submissionMessages = {
  title: "Submissions",
  forms,
  seeTable: "Search, sort and export",
  tableLabel: (form: string) => `All of ${form}`,
  kept: (count: number) => `${submissions(count)} by this form.`,
  matching: (matching: number, all: number) =>
    `${grouped(matching)} of ${submissions(all)} by this form match.`,
  unconfirmed: "Unconfirmed",
  unconfirmedState: (count: number) =>
    `${grouped(count)} ${count === 1 ? "signup waits" : "signups wait"} for a confirmation.`,
  unconfirmedText:
    "These people signed up for updates and have not opened the link in their email yet. They get nothing before they do. A signup that nobody confirms is deleted 30 days after its link has expired.",
  noUnconfirmed: "No unconfirmed signups",
  noUnconfirmedText:
    "With DOUBLE_OPT_IN=on, signups for updates appear here until their owner confirms them.",
  searchLabel: "Name or address",
  searchTooLong: "Please look for at most 100 characters.",
  choice: { "early-access": "Role", "contact-form": "Inquiry type", "updates-signup": "" },
  any: "Any",
  mail: "Mail",
  mailStates: { open: "Gets mail", unsubscribed: "Unsubscribed", suppressed: "On the suppression list" },
  sort: "Sort by",
  sorts: { newest: "Newest first", oldest: "Oldest first", name: "Name", address: "Address" },
  exportThese: "Download these as CSV",
  exportAll: "Download all as CSV",
  columns: ["Tick", "Name and address", "What it says", "Mail", "When"],
  tick: (sender: string) => `Tick the submission of ${sender}`,
  tickAll: "Tick all on this page",
  ticked: "Ticked",
  delete: "Delete",
  deleteAll: "Delete all that match",
  shown: (shown: number, total: number | undefined) =>
    total === undefined
      ? `${grouped(shown)} on this page, of more than can be counted quickly`
      : `${grouped(shown)} of ${grouped(total)} on this page`,
  tooCommon: "So many are found that they stand newest first. Type more of the name or address to sort them.",
  nobody: "Nobody has sent this form yet",
  nobodyText: "What comes in by it will stand here, with all that was typed.",
  allDeleted: "All submissions of this form were deleted",
  allDeletedText: "For ten minutes they can be brought back below.",
  noMatch: "Nothing matches",
  noMatchText: "Nobody who sent this form is like that. Choose fewer conditions, or more days.",
  noMore: "There are no more",
  noMoreText: "This is where the table ends.",
  wrong: "Nothing was looked up yet",
  wrongText: "Correct what is marked above and press Show.",
  toFirst: "Show the first page",
  showAll: "Show all",
  question: (total: MatchCount) => `Delete ${counted(total)}?`,
  word: "Type the word delete to confirm",
  wordToType: "delete",
  wordMissing: "Nothing was deleted. Please type the word delete.",
  consequence:
    "will leave the tables, the counts, the recipient groups and every copy at once. For ten minutes they can be brought back; after that they are erased, with the consent they came with.",
  these: (total: MatchCount) => capitalized(counted(total)),
  mailGoesOn: "Mails that were confirmed before are still sent to them.",
  andMore: ({ count, isMore }: MatchCount, named: number) =>
    `and ${isMore ? "more than " : ""}${grouped(count - named)} more`,
  arrivals: "What arrives meanwhile is not touched.",
  keep: "Keep them",
  deleted: "Deleted. For ten minutes you can bring it all back.",
  restored: "Everything is back where it was.",
  over: "That can no longer be brought back: its ten minutes are over, or somebody brought it back before.",
  nothingTicked: "Nothing was ticked, so nothing was deleted. Tick the submissions you mean first.",
  gone: "Nothing of that is there any more, so nothing was deleted.",
  undo: "Undo",
  recentTitle: "Deleted in the last ten minutes",
  recent: (count: number, by: string) => `${submissions(count)}, by ${by}`,
} as const;
