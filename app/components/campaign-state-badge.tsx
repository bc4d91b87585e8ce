import { Badge, type BadgeProps } from "~/components/ui/badge";

/** The states of campaigns and notifications. */
export const CAMPAIGN_STATES = {
  draft: { name: "Draft", variant: "neutral" },
  preparing: { name: "Preparing", variant: "info" },
  scheduled: { name: "Scheduled", variant: "info" },
  sending: { name: "Sending", variant: "info" },
  paused: { name: "Paused", variant: "warning" },
  finished: { name: "Finished", variant: "success" },
  cancelled: { name: "Cancelled", variant: "neutral" },
} as const satisfies Record<string, { name: string; variant: BadgeProps["variant"] }>;

export type CampaignState = keyof typeof CAMPAIGN_STATES;

interface CampaignStateBadgeProps {
  state: CampaignState;
  /** False before the planned start, while no recipient was sent anything. */
  hasBegun?: boolean;
  /** True for a finished campaign that did not reach every recipient: the badge is not green. */
  isMixed?: boolean;
}

export function CampaignStateBadge({ state, hasBegun = true, isMixed = false }: CampaignStateBadgeProps) {
  const { name, variant } = CAMPAIGN_STATES[hasBegun ? state : "scheduled"];
  return <Badge variant={isMixed && variant === "success" ? "warning" : variant}>{name}</Badge>;
}
