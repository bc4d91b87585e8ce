import { capitalize } from "~/lib/capitalize";
import { formatCount, grouped } from "~/lib/format-number";
import { tableMessages } from "~/content/lists";
import { shellMessages } from "~/content/shell";
import type { MatchCount } from "~/services/submissions/submissions.server";

const people = (count: number) => formatCount(count, "person", "people");

/** What the search of people looks through, in its fields and where it finds nothing. */
const PEOPLE_SEARCHED = "name, email or company";

export const peopleMessages = {
  title: "People",
  tableLabel: "People",
  count: ({ count, isMore }: MatchCount) => `${isMore ? "More than " : ""}${people(count)}.`,
  matching: (matching: number) =>
    `${matching === 1 ? "1 person matches" : `${grouped(matching)} people match`}.`,
  /** After an update. */
  incomplete: "People from before the update are still being added, the newest first.",
  searchLabel: capitalize(PEOPLE_SEARCHED),
  form: "Form",
  role: "Role",
  mail: "Email status",
  any: "Any",
  emailStates: {
    open: "Can be emailed",
    unsubscribed: "Unsubscribed",
    suppressed: "On the suppression list",
  },
  confirmed: "Confirmed address",
  confirmedStates: { yes: "Confirmed", no: "Not confirmed" },
  company: "Company",
  companyContains: "Company contains",
  domain: "Domain",
  tooLong: "Please enter at most 200 characters.",
  columns: {
    person: "Name and email",
    name: "Name",
    address: "Email",
    company: "Company",
    role: "Role",
    forms: "Forms",
    emailStatus: "Email status",
    first: "First seen",
  },
  forms: shellMessages.search.forms,
  /** Of somebody whose forms are all in quarantine, unconfirmed or deleted. */
  noForms: "None accepted",
  shown: tableMessages.shownOfMatches,
  tooCommon: `Too many results to sort, so the newest come first. Type more of the ${PEOPLE_SEARCHED} to sort them.`,
  empty: "Nobody yet",
  emptyText:
    "Whoever sends a form of the landing page appears here, and whoever you import from another product.",
  importPeople: "Import people",
  noMatch: "Nobody matches",
  noMatchText: "Try fewer filters or more days.",
  notFoundText:
    "The search finds the start of any word of a name, and any part of an email or a company from three letters on. Nobody without an accepted form is searched. Try fewer words or filters.",
  noMore: "No more results",
  noMoreText: "This is the end of the list.",
  showAll: "Show all",
  csv: {
    first: "First seen",
    confirmed: "Confirmed",
  },
} as const;
