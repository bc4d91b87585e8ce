import { formatCount, grouped } from "~/lib/format-number";

/** Texts of the checks before a campaign is confirmed. */
export const preflightMessages = {
  noDefault: (field: string) =>
    `{{${field}}} is empty for people who left it out. Give it a default: {{${field}|there}}.`,
  withoutConsent:
    "These people asked a question, which is not consent to marketing. Write only about what they asked.",
  localOrigin: (origin: string) =>
    `Links in this email lead to ${origin}, which nobody else can open: ORIGIN is not set.`,
  noPostalAddress:
    "No postal address is set (POSTAL_ADDRESS); many countries require one in emails like this.",
  newSender: (domain: string, sent: number, recipients: number) =>
    `${domain} sent ${formatCount(sent, "campaign email")} in the last 30 days. Mail servers distrust a domain that suddenly sends ${grouped(recipients)}: spread them over 24 hours or 3 days.`,
  duplicates: (count: number) =>
    `${formatCount(count, "repeated address; it gets", "repeated addresses; each gets")} one email.`,
  unsubscribed: (count: number) => `${grouped(count)} unsubscribed and will be skipped.`,
  suppressed: (count: number) =>
    `${formatCount(count, "address was", "addresses were")} rejected before and will be skipped.`,
  takes: (duration: string) => `At the configured rate this takes ${duration}.`,
  /** With a pace. */
  takesSpread: (duration: string) => `Spread like this it takes ${duration}.`,
} as const;
