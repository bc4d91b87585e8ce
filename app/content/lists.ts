import { grouped } from "~/lib/format-number";

/** Texts of the filters of lists. */
export const filterMessages = {
  from: "From (UTC)",
  to: "To (UTC)",
  show: "Apply",
  clear: "Clear filters",
  notADay: "Please enter a day like 2026-11-21.",
  wrong: "Check the filters",
  wrongText: "Correct the marked fields above and press Apply.",
} as const;

/** Texts of tables and their pages. */
export const tableMessages = {
  noOlder: "No more results.",
  toNewest: "Back to the newest",
  shown: (shown: number, total: number) => `${grouped(shown)} of ${grouped(total)} entries on this page`,
  more: (count: number) =>
    `${grouped(count)} more entries not shown. View on larger screen for complete data.`,
} as const;
