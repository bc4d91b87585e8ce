import type { SortOrder } from "~/lib/list-page";

/** Reasons of a suppression, in display order. */
export const SUPPRESSION_REASONS = [
  "unsubscribed",
  "complained",
  "refused",
  "bounced",
  "added",
  "imported",
] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** True when the person opted out, so that emailing them again goes against their will. */
export const isOptOut = (reason: SuppressionReason): boolean =>
  reason === "unsubscribed" || reason === "complained";

/**
 * The earlier reasons that each later reason replaces. A complaint outweighs all. A mail server's refusal or
 * bounce outweighs an unsubscription, which a confirmed signup can undo, and an operator's entry.
 */
export const OUTWEIGHS: Readonly<Record<SuppressionReason, readonly SuppressionReason[]>> = {
  complained: ["unsubscribed", "refused", "bounced", "added", "imported"],
  refused: ["unsubscribed", "added", "imported"],
  bounced: ["unsubscribed", "added", "imported"],
  unsubscribed: [],
  added: [],
  imported: [],
};

/** What the list can be sorted by, with the direction that comes first. */
export const SUPPRESSION_SORTS = { added: "desc", address: "asc" } as const;
export type SuppressionOrder = SortOrder<keyof typeof SUPPRESSION_SORTS>;
