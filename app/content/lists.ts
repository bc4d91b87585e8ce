import { grouped } from "~/lib/format-number";

export const filterMessages = {
  from: "From",
  to: "To",
  show: "Apply",
  clear: "Clear filters",
  more: "More filters",
  /** Follows the number of further filters that are set, for screen readers. */
  inUse: "in use",
  notAChoice: "Please choose one of these.",
  notADay: "Please enter a day like 2026-11-21.",
  notAMinute: "Please give a time like 2026-11-21T08:24Z.",
  dayBefore: "This day is before the first one.",
  wrong: "Check the filters",
  wrongText: "Correct the marked fields above.",
} as const;

export const tableMessages = {
  select: "Select",
  selected: "Selected",
  /** After their number. */
  selectedRows: "selected",
  noneSelected: "None selected",
  /** The columns of deliveries. */
  deliveries: { state: "Status", detail: "Reason", attempts: "Attempts", updated: "Updated" },
  exactNumbers: "Exact numbers",
  readAll: "Read all",
  readLess: "Less",
  noOlder: "No more results.",
  toNewest: "Back to the newest",
  toFirst: "Show the first page",
  shown: (shown: number, total: number) => `${grouped(shown)} of ${grouped(total)} entries on this page`,
  /** @param total undefined where counting would take long. */
  shownOfMatches: (shown: number, total: number | undefined) =>
    total === undefined
      ? `${grouped(shown)} on this page, of too many to count quickly`
      : `${grouped(shown)} of ${grouped(total)} on this page`,
  more: (count: number) =>
    `${grouped(count)} more entries not shown. View on larger screen for complete data.`,
} as const;

/** Links to the pages of a list. The noun follows: "Older signups", "Next page". */
export const paginationMessages = {
  byTime: { first: "Newest", previous: "Newer", next: "Older" },
  pages: { first: "First", previous: "Previous", next: "Next" },
  page: "page",
} as const;

export const listDetailMessages = {
  /** The region beside a list. */
  detail: "Details",
} as const;

export const downloadMessages = {
  filtered: "Download these as CSV",
  all: "Download all as CSV",
  excel: "CSV for Excel",
} as const;
