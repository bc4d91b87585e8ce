/** Texts of the page of one outbox email. */
export const outboxMessages = {
  title: "Email",
  noSubject: "An email without a subject",
  between: (from: string, to: string) => `From ${from} to ${to}.`,
  views: "Parts of the email",
  view: { html: "HTML", text: "Plain text", headers: "Headers", source: "Source" },
  frame: "The email as its reader sees it",
  links: "Links in this email",
  download: "Download as .eml",
  back: "Back to the outbox",
} as const;
