import type { DeliveryResult } from "~/services/mail/delivery/delivery-result";

/**
 * Number of the mail server's latest answers kept for a campaign, as one text with the newest last: "AARAA", A for an
 * accepted email, R for a permanent refusal. An undecided attempt (temporary refusal, lost connection) adds no letter.
 * Neither does a delivery that fails after its last retry: these come in a row at the end of any long campaign.
 */
const ANSWER_COUNT = 25;
const REFUSAL_THRESHOLD = 20;

export function addAnswers(latest: string, results: readonly DeliveryResult[]): string {
  const answers = results.map(({ state, server }) => {
    if (server === "refuses") return "R";
    return state === "sent" ? "A" : "";
  });
  return (latest + answers.join("")).slice(-ANSWER_COUNT);
}

/** Counts the refusals among the latest answers. */
export function countRefusals(latest: string): number {
  return latest.replaceAll("A", "").length;
}

/**
 * Checks whether 20 of the last 25 emails were refused, which points to the sender (blocked sender or network,
 * rejected content) rather than the recipients: with 15 % dead addresses it happens by chance once in 10^12
 * emails, with a third once in 400,000.
 */
export function isRefusedByNearlyAll(latest: string): boolean {
  return countRefusals(latest) >= REFUSAL_THRESHOLD;
}
