import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { operatorMessages } from "~/content/operator-messages";

type CampaignState = keyof typeof operatorMessages.campaignStatus.states;

const VARIANTS: Record<CampaignState, BadgeProps["variant"]> = {
  draft: "neutral",
  preparing: "info",
  scheduled: "info",
  sending: "info",
  paused: "warning",
  finished: "success",
  cancelled: "neutral",
};

interface CampaignStateBadgeProps {
  state: CampaignState;
  /** False before the time it is to begin, when nobody got it yet. */
  hasBegun?: boolean;
  /** Finished, but not with everybody reached: no reason for green. */
  isMixed?: boolean;
}

/** The status of a campaign or a notification in a word. */
export function CampaignStateBadge({ state, hasBegun = true, isMixed = false }: CampaignStateBadgeProps) {
  const shown = hasBegun ? state : "scheduled";
  const variant = shown === "finished" && isMixed ? "warning" : VARIANTS[shown];
  return <Badge variant={variant}>{operatorMessages.campaignStatus.states[shown]}</Badge>;
}
