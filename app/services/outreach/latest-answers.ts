import type { DeliveryResult } from "./delivery-result";

/**
 * Number of the mail server's latest answers kept for a campaign, as bits of one number with the newest lowest:
 * 1 for a permanent refusal, 0 for an accepted email. An undecided attempt (temporary refusal, lost connection)
 * adds no bit. Neither does a delivery that fails after its last retry: these come in a row at the end of any
 * long campaign. The initial 0 counts as all accepted.
 */
const ANSWER_COUNT = 25;
const REFUSAL_THRESHOLD = 20;
const ALL_BITS = 2 ** ANSWER_COUNT - 1;

export function addAnswers(latest: number, results: readonly DeliveryResult[]): number {
  return results.reduce((bits, { state, server }) => {
    if (server === "refuses") return ((bits << 1) | 1) & ALL_BITS;
    return state === "sent" ? (bits << 1) & ALL_BITS : bits;
  }, latest);
}

/** Counts the refusals among the latest answers. */
export function countRefusals(latest: number): number {
  return latest.toString(2).replaceAll("0", "").length;
}

/**
 * Checks whether 20 of the last 25 emails were refused, which points to the sender (blocked sender or network,
 * rejected content) rather than the recipients: with 15 % dead addresses it happens by chance once in 10^12
 * emails, with a third once in 400,000.
 */
export function isRefusedByNearlyAll(latest: number): boolean {
  return countRefusals(latest) >= REFUSAL_THRESHOLD;
}
