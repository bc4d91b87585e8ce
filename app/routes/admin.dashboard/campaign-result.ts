import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.outreach;

interface CampaignOutcome {
  state: keyof typeof operatorMessages.campaignStatus.states;
  /** Empty when it works, or when a person paused it. */
  trouble: string;
  sent: number;
  failed: number;
  uncertain: number;
}

/**
 * Says how a campaign went that is over or paused, and in which colour (specification, section 8). Without a text the reason that
 * stands beside it says enough: a person paused it.
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
