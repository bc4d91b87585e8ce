import type { DeliveryResult } from "./delivery-result";

/**
 * The last answers of the mail server to a campaign's mails, in the bits of one number, the newest in the lowest: 1 when it
 * refused the mail for good, 0 when it took it. What may still end either way (a temporary refusal, a lost connection)
 * leaves no bit, nor does what fails after its last try on the ladder: those come in a row at the end of any long campaign.
 * Nothing is known at 0, which counts as if all had been taken.
 */
const REMEMBERED = 25;
const NEARLY_ALL = 20;
const EVERY_BIT = 2 ** REMEMBERED - 1;

export function addAnswers(latest: number, results: readonly DeliveryResult[]): number {
  return results.reduce((bits, { state, server }) => {
    if (server === "refuses") return ((bits << 1) | 1) & EVERY_BIT;
    return state === "sent" ? (bits << 1) & EVERY_BIT : bits;
  }, latest);
}

/** How many of them were refusals. */
export function countRefusals(latest: number): number {
  return latest.toString(2).replaceAll("0", "").length;
}

/**
 * Whether 20 of the last 25 were refused, which says more of us (a blocked sender or network, a content nobody takes) than
 * of the recipients: with 15 % dead addresses in a list it is so once in 10^12 mails, with a third of them once in 400,000.
 */
export function isRefusedByNearlyAll(latest: number): boolean {
  return countRefusals(latest) >= NEARLY_ALL;
}
