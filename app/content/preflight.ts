import { formatCount, grouped } from "~/lib/format-number";

/** Texts of the checks before a campaign is confirmed. */
export const preflightMessages = {
  unknownField: (field: string) => `{{${field}}} is not a merge field and will appear in the email as it is.`,
  withoutConsent:
    "These people asked a question, which is not consent to marketing. Write only about what they asked.",
  localOrigin: (origin: string) =>
    `Links in this email lead to ${origin}, which nobody else can open: ORIGIN is not set.`,
  noPostalAddress:
    "No postal address is set (POSTAL_ADDRESS); many countries require one in emails like this.",
  duplicates: (count: number) =>
    `${formatCount(count, "repeated address; it gets", "repeated addresses; each gets")} one email.`,
  unsubscribed: (count: number) => `${grouped(count)} unsubscribed and will be skipped.`,
  suppressed: (count: number) =>
    `${formatCount(count, "address was", "addresses were")} rejected before and will be skipped.`,
  takes: (duration: string) => `At the configured rate this takes ${duration}.`,
} as const;
