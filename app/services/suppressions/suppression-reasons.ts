/** Why an address gets no mail any more, in the order they are listed. */
export const SUPPRESSION_REASONS = [
  "unsubscribed",
  "complained",
  "refused",
  "bounced",
  "added",
  "imported",
] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** Of these reasons the person spoke, not a machine: to write to them again is against their will. */
export const isOptOut = (reason: SuppressionReason): boolean =>
  reason === "unsubscribed" || reason === "complained";

/**
 * What each reason takes the place of when it comes later. A complaint says most; what a mail server says weighs more than what a confirmed
 * signup takes back (unsubscribed) and what an operator only noted.
 */
export const OUTWEIGHS: Readonly<Record<SuppressionReason, readonly SuppressionReason[]>> = {
  complained: ["unsubscribed", "refused", "bounced", "added", "imported"],
  refused: ["unsubscribed", "added", "imported"],
  bounced: ["unsubscribed", "added", "imported"],
  unsubscribed: [],
  added: [],
  imported: [],
};
