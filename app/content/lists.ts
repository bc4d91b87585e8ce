import { grouped } from "~/lib/format-number";

export const filterMessages = {
  from: "From (UTC)",
  to: "To (UTC)",
  show: "Apply",
  clear: "Clear filters",
  notAChoice: "Please choose one of these.",
  notADay: "Please enter a day like 2026-11-21.",
  dayBefore: "This day is before the first one.",
  wrong: "Check the filters",
  wrongText: "Correct the marked fields above and press Apply.",
} as const;

/** Names the time zone of a screen, once. */
export const zoneMessages = {
  utc: "All times are UTC.",
  /** @param zone of the browser, "Europe/Berlin": for the log's list on small screens. */
  local: (zone: string) => `Times in the list are ${zone}, all others UTC.`,
} as const;

export const tableMessages = {
  select: "Select",
  selected: "Selected",
  /** The columns of deliveries. */
  deliveries: { state: "Status", detail: "Reason", attempts: "Attempts", updated: "Updated" },
  exactNumbers: "Exact numbers",
  readAll: "Read all",
  readLess: "Less",
  noOlder: "No more results.",
  toNewest: "Back to the newest",
  shown: (shown: number, total: number) => `${grouped(shown)} of ${grouped(total)} entries on this page`,
  more: (count: number) =>
    `${grouped(count)} more entries not shown. View on larger screen for complete data.`,
} as const;

export const downloadMessages = {
  filtered: "Download these as CSV",
  all: "Download all as CSV",
  excel: "CSV for Excel",
} as const;
