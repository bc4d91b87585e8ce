/** Texts of the page of one outbox email. */
export const outboxMessages = {
  title: "Email",
  list: "Email outbox",
  noSubject: "An email without a subject",
  between: (from: string, to: string) => `From ${from} to ${to}.`,
  views: "Parts of the email",
  view: { html: "HTML", text: "Plain text", headers: "Headers", source: "Source" },
  frame: "The email as its reader sees it",
  links: "Links in this email",
  masked: "Links in this email that give access are hidden. Its recipient and superadmins see them.",
  sourceHidden: "The source holds links that give access. The recipient and superadmins see it.",
  download: "Download as .eml",
} as const;
