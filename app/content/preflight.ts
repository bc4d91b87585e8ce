import { grouped } from "~/lib/format-number";

/** What stands in the question before a campaign. */
export const preflightMessages = {
  unknownField: (field: string) => `{{${field}}} is no merge field and will stand in the mail as it is.`,
  withoutConsent:
    "These people asked a question, which is no consent to marketing: write only about what they asked.",
  localOrigin: (origin: string) =>
    `Links in this email lead to ${origin}, which nobody else can open: ORIGIN is not set.`,
  noPostalAddress:
    "No postal address is set (POSTAL_ADDRESS); in many countries a mail like this has to name one.",
  duplicates: (count: number) =>
    count === 1
      ? "1 more signup has an address that is in the list already; it gets one mail."
      : `${grouped(count)} more signups have an address that is in the list already; each gets one mail.`,
  unsubscribed: (count: number) => `${grouped(count)} unsubscribed and will be skipped.`,
  suppressed: (count: number) =>
    `${grouped(count)} ${count === 1 ? "address was" : "addresses were"} refused before and will be skipped.`,
  takes: (duration: string) => `At the configured rate this takes ${duration}.`,
} as const;
