import { grouped } from "~/lib/format-number";

/** The page of all campaigns. */
export const campaignsMessages = {
  title: "Sends",
  state: "Every mail to a group: what was sent, what is under way, and what is still being written.",
  write: "Write a mail",
  seeAll: "All sends and drafts",
  drafts: "Drafts",
  noTitle: "No title yet",
  savedBy: (author: string) => `Saved by ${author}`,
  keptFor: (days: number) => `A draft nobody goes on with is thrown away after ${days} days.`,
  listTitle: "Confirmed sends",
  columns: {
    title: "Title",
    group: "Audience",
    state: "Status",
    sent: "Sent",
    by: "Confirmed by",
    at: "Confirmed",
  },
  /** "2,539 of 2,684" */
  sentOf: (sent: number, selected: number) => `${grouped(sent)} of ${grouped(selected)}`,
  failed: (failed: number) => `${grouped(failed)} failed`,
  emptyTitle: "Nothing was sent yet",
  empty:
    "Choose a group on the dashboard, write to it, and what became of the mail will stand here for good.",
} as const;
