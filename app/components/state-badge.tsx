import { Badge } from "~/components/ui/badge";
import { campaignStatusMessages, skipReason } from "~/content/outreach";

/** The colours of the states of campaigns, notifications and their deliveries. */
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
  /** Whether it waits for its start, and is shown as such. */
  isScheduled?: boolean;
  /** Whether it did not reach everybody: it is then not green once it is finished. */
  isIncomplete?: boolean;
}

/** What a sent list knows of a campaign or notification. */
export interface Totals {
  /** Without those that were skipped: 0 where all were. */
  recipients: number;
  sent: number;
  /** Of a notification: the application's backend did not send its part. */
  lacksPart?: boolean;
}

/** Returns whether a campaign or notification of these totals did not reach everybody. */
export const isIncomplete = ({ recipients, sent, lacksPart = false }: Totals): boolean =>
  sent < recipients || sent === 0 || lacksPart;

/** Shows the state of a campaign or notification. */
export function CampaignStateBadge({
  state,
  isScheduled = false,
  isIncomplete = false,
}: CampaignStateBadgeProps) {
  const shown = isScheduled ? "scheduled" : state;
  const variant = shown === "finished" && isIncomplete ? "warning" : VARIANTS[shown];
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

/** Gives the reason for a delivery's state, and what was reported of a sent email later: a bounce, a delay or a complaint. */
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
