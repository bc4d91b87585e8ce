import { Badge, type BadgeProps } from "~/components/ui/badge";
import { campaignStatusMessages } from "~/content/outreach";

type CampaignState = keyof typeof campaignStatusMessages.states;

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
  /** False before the planned start, while no recipient was sent anything. */
  hasBegun?: boolean;
  /** True for a finished campaign that did not reach every recipient: the badge is not green. */
  isMixed?: boolean;
}

export function CampaignStateBadge({ state, hasBegun = true, isMixed = false }: CampaignStateBadgeProps) {
  const shown = hasBegun ? state : "scheduled";
  const variant = shown === "finished" && isMixed ? "warning" : VARIANTS[shown];
  return <Badge variant={variant}>{campaignStatusMessages.states[shown]}</Badge>;
}
