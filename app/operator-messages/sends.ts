/** The page of all sends. */
export const sendsMessages = {
  title: "Sends",
  state: "Every mail to a group: what was sent, what is under way, and what is still being written.",
  write: "Write a mail",
  seeAll: "All sends and drafts",
  drafts: "Drafts",
  noTitle: "No title yet",
  savedBy: (author: string) => `Saved by ${author}`,
  keptFor: (days: number) => `A draft nobody goes on with is thrown away after ${days} days.`,
  listTitle: "Confirmed sends",
  columns: { title: "Title", group: "Group", state: "State", by: "Confirmed by", at: "Confirmed" },
  emptyTitle: "Nothing was sent yet",
  empty:
    "Choose a group on the dashboard, write to it, and what became of the mail will stand here for good.",
} as const;
