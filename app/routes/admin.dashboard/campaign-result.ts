import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.outreach;

interface CampaignOutcome {
  state: keyof typeof operatorMessages.campaignStatus.states;
  /** Empty when there is no problem, or when an operator paused the campaign. */
  trouble: string;
  sent: number;
  failed: number;
  uncertain: number;
}

/**
 * Returns the result of a finished or paused campaign and its colour (specification, section 8). The text is
 * left out when the reason beside it is enough: an operator paused it.
 */
export function getCampaignResult({ state, trouble, sent, failed, uncertain }: CampaignOutcome): {
  kind: "success" | "error" | "info";
  text?: string;
} {
  if (state === "cancelled") return { kind: "info", text: copy.cancelled };
  if (state === "paused" && trouble === "") return { kind: "info" };
  if (state !== "finished" || failed + uncertain > 0) return { kind: "error", text: copy.failed };
  if (sent === 0) return { kind: "info", text: copy.nobodyReached };
  return { kind: "success", text: copy.sent };
}
