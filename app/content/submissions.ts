import { capitalize } from "~/lib/capitalize";
import { formatCount, grouped } from "~/lib/format-number";
import { tableMessages } from "./lists";
import type { MatchCount } from "~/services/submissions/submissions.server";

const counted = ({ count, isMore }: MatchCount) => `${isMore ? "more than " : ""}${submissions(count)}`;

export const submissions = (count: number) => formatCount(count, "submission");

/** "178 early access signups" */
export const counts = {
  "early-access": (count: number) => formatCount(count, "early access signup"),
  "contact-form": (count: number) => formatCount(count, "contact inquiry", "contact inquiries"),
  "updates-signup": (count: number) => formatCount(count, "updates signup"),
} as const;
type Form = keyof typeof counts;

const forms = {
  "early-access": "Early Access",
  "contact-form": "Contact Form",
  "updates-signup": "Updates",
} as const;

const SPANS = { day: "30 days", week: "26 weeks", month: "12 months" } as const;

export const chartMessages = {
  forms,
  form: "Form",
  count: "Submissions",
  countsTitle: "Submissions by Form",
  countsLabel: "Columns: submissions by form",
  countsEmpty: "No submissions yet. This chart shows how many each form received.",
  funnel: "Funnel",
  bySource: "By source",
  overTimeTitle: "Signups over Time",
  overTimeLabel: (over: string) => `Columns: signups by ${over}, stacked by form`,
  trend: (form: string) => `Line: ${form} by day, the last 30 days`,
  overTimeEmpty: (over: keyof typeof SPANS) => `No submissions in the last ${SPANS[over]}.`,
  spans: SPANS,
  /** Where days of the operator's zone would be too many to count one by one. Lists know their days alone. */
  otherZone: (timeZone: string) =>
    `Counted by days of ${timeZone}: there are too many signups to count others. A link lists the rows of your days.`,
  lengths: { day: "By day", week: "By week", month: "By month" },
  periods: { day: "Day", week: "Week from", month: "Month" },
  all: "All",
  newestTitle: "Newest",
  newestEmpty: "Names appear here as forms are sent.",
} as const;

/** What a search looks through. */
const searched: Record<Form, string> = {
  "early-access": "name, email or company",
  "contact-form": "name, email or text",
  "updates-signup": "name or email",
};

export const submissionMessages = {
  title: "Submissions",
  forms,
  seeTable: "Search, sort and export",
  /** Of an empty table; each text continues with a link to the form. */
  noneOf: {
    "early-access": {
      title: "No signups yet",
      text: "Early access signups appear here, newest first.",
    },
    "contact-form": {
      title: "No inquiries yet",
      text: "Questions, feedback and ideas from the contact form appear here, newest first.",
    },
    "updates-signup": {
      title: "No subscribers yet",
      text: "People who subscribe to updates appear here, newest first.",
    },
  },
  openForm: "Open the form",
  sendItOnce: "and send it once to see how.",
  noOlder: "No older entries.",
  tableLabel: (form: string) => `All ${form} submissions`,
  stored: (form: Form, count: number) => `${counts[form](count)}.`,
  matching: (form: Form, matching: number, all: number) =>
    `${grouped(matching)} of ${counts[form](all)} match.`,
  unconfirmed: "Unconfirmed",
  unconfirmedState: (count: number) =>
    `${formatCount(count, "signup is", "signups are")} waiting for confirmation.`,
  unconfirmedText:
    "These people signed up but have not confirmed with the link in their email yet. They get no emails until they do. Unconfirmed signups are deleted 30 days after the link expires.",
  noUnconfirmed: "No unconfirmed signups",
  noUnconfirmedText:
    "With DOUBLE_OPT_IN=on, signups for updates appear here until people confirm them, with DOUBLE_OPT_IN=all those for early access too.",
  searchLabel: (form: Form) => capitalize(searched[form]),
  searchTooLong: "Please search for at most 100 characters.",
  choice: { "early-access": "Role", "contact-form": "Inquiry type", "updates-signup": "" },
  source: "Source",
  any: "Any",
  mail: "Email status",
  /** An inquiry is no subscription: its address can be emailed, and its owner never asked for news. */
  emailStates: (form: Form) => ({
    open: form === "contact-form" ? "Can be emailed" : "Subscribed",
    unsubscribed: "Unsubscribed",
    suppressed: "On the suppression list",
  }),
  columns: {
    sender: "Name and email",
    name: "Name",
    address: "Email",
    emailStatus: "Email status",
    received: "Received",
  },
  select: (sender: string) => `Select the submission of ${sender}`,
  selectAll: "Select all on this page",
  delete: "Delete",
  deleteAll: "Delete all that match",
  shown: tableMessages.shownOfMatches,
  tooCommon: (form: Form) =>
    `Too many results to sort, so the newest come first. Type more of the ${searched[form]} to sort them.`,
  empty: "No submissions yet",
  emptyText: "Submissions of this form appear here.",
  allDeleted: "All submissions of this form were deleted",
  allDeletedText: "You can undo this for ten minutes, below.",
  noMatch: "Nothing matches",
  noMatchText: "Try fewer filters or more days.",
  notFoundText: (form: Form) =>
    `The search finds the start of words of the ${searched[form]}, and any part of an email${form === "early-access" ? " or company" : ""} from three letters on. Try fewer words or filters, or more days.`,
  noMore: "No more results",
  noMoreText: "This is the end of the table.",
  showAll: "Show all",
  question: (total: MatchCount) => `Delete ${counted(total)}?`,
  word: "Type the word delete to confirm",
  wordToType: "delete",
  wordMissing: "Nothing was deleted. Please type the word delete.",
  consequence:
    "will be removed from tables, counts and audiences at once. You can undo this for ten minutes; after that they are erased, together with their consent records.",
  these: (total: MatchCount) => capitalize(counted(total)),
  campaignsContinue: "Campaigns confirmed before are still sent to them.",
  andMore: ({ count, isMore }: MatchCount, named: number) =>
    `and ${isMore ? "more than " : ""}${grouped(count - named)} more`,
  arrivals: "New submissions are not affected.",
  keep: "Keep them",
  undo: "Undo",
  recentTitle: "Deleted in the last ten minutes",
  recent: (count: number, by: string) => `${submissions(count)}, by ${by}`,
} as const;
