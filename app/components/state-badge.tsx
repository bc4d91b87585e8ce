import { Badge } from "~/components/ui/badge";
import { campaignStatusMessages, skipReason } from "~/content/outreach";

/** The colours of the states of campaigns, broadcasts and their deliveries. */
const VARIANTS = {
  draft: "secondary",
  preparing: "info",
  scheduled: "info",
  sending: "info",
  paused: "warning",
  finished: "success",
  cancelled: "secondary",
  pending: "secondary",
  claimed: "info",
  retrying: "warning",
  sent: "success",
  accepted: "success",
  failed: "destructive",
  gone: "destructive",
  skipped: "secondary",
  uncertain: "warning",
} as const;

export function StateBadge({ state, children }: { state: keyof typeof VARIANTS; children: string }) {
  return <Badge variant={VARIANTS[state]}>{children}</Badge>;
}

interface CampaignStateBadgeProps {
  state: keyof typeof campaignStatusMessages.states;
  /** False before the planned start, while no recipient was sent anything. */
  hasBegun?: boolean;
  /** True for a finished campaign that did not reach every recipient: the badge is not green. */
  isMixed?: boolean;
}

/** Returns whether a finished campaign or notification of these totals did not reach every recipient. */
export const hasMissed = ({ recipients, sent }: { recipients: number; sent: number }): boolean =>
  sent < recipients || sent === 0;

export function CampaignStateBadge({ state, hasBegun = true, isMixed = false }: CampaignStateBadgeProps) {
  const shown = hasBegun ? state : "scheduled";
  const variant = shown === "finished" && isMixed ? "warning" : VARIANTS[shown];
  return <Badge variant={variant}>{campaignStatusMessages.states[shown]}</Badge>;
}

type DeliveryState = keyof typeof campaignStatusMessages.rowStates;
type Returned = Parameters<typeof campaignStatusMessages.returnedLater>[0];

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <StateBadge state={state}>{campaignStatusMessages.rowStates[state]}</StateBadge>;
}

interface DeliveryDetailProps {
  delivery: { state: DeliveryState; detail: string; returned?: Returned | undefined };
}

/** Gives the reason for a delivery's state, and says when a sent email bounced or was reported later. */
export function DeliveryDetail({ delivery: { state, detail, returned } }: DeliveryDetailProps) {
  return (
    <>
      <bdi className="line-clamp-2">{state === "skipped" ? skipReason(detail) : detail}</bdi>
      {returned ? (
        <bdi className="block text-warning">{campaignStatusMessages.returnedLater(returned)}</bdi>
      ) : null}
    </>
  );
}
