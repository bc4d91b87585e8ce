import { formatUtcDay } from "~/lib/utc-day";

export const inquiryMessages = {
  status: "Status",
  actions: "Actions",
  any: "Any",
  states: { open: "Open", answered: "Answered" },
  /** Followed by the account's address; of a removed account too. */
  by: "by",
  answer: "Mark as answered",
  reopen: "Open again",
  reply: "Reply",
  copyAddress: "Copy address",
  /** @param type what the inquiry is about: "Support". */
  replySubject: (type: string, brandName: string) =>
    `Re: Your ${/^(general)?$/i.test(type) ? "" : `${type.toLowerCase()} `}inquiry to ${brandName}`,
  /** Line above the quoted inquiry. */
  quoteIntro: (at: number) => `On ${formatUtcDay(at)} you wrote:`,
  /** The columns of the exported file. */
  csv: { status: "Status", answeredBy: "Answered by", answeredAt: "Answered at" },
  noneOpen: "No open inquiries",
  noneOpenText: "New inquiries from the contact form appear here until somebody marks them as answered.",
  noneAnswered: "No answered inquiries",
  noneAnsweredText: "Inquiries appear here when somebody marks them as answered.",
  showAll: "Show all inquiries",
} as const;
