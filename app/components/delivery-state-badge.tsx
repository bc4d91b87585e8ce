import { Badge, type BadgeProps } from "~/components/ui/badge";
import { campaignStatusMessages, skipReason } from "~/content/outreach";

type DeliveryState = keyof typeof campaignStatusMessages.rowStates;
type Returned = Parameters<typeof campaignStatusMessages.returnedLater>[0];

const VARIANTS: Record<DeliveryState, BadgeProps["variant"]> = {
  pending: "neutral",
  claimed: "info",
  retrying: "warning",
  sent: "success",
  failed: "danger",
  skipped: "neutral",
  uncertain: "warning",
};

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <Badge variant={VARIANTS[state]}>{campaignStatusMessages.rowStates[state]}</Badge>;
}

interface DeliveryDetailProps {
  delivery: { state: DeliveryState; detail: string; returned?: Returned | undefined };
}

/** Gives the reason for a delivery's state, and says when a sent email bounced or was reported later. */
export function DeliveryDetail({ delivery: { state, detail, returned } }: DeliveryDetailProps) {
  return (
    <>
      <bdi>{state === "skipped" ? skipReason(detail) : detail}</bdi>
      {returned ? (
        <bdi className="block text-warning">{campaignStatusMessages.returnedLater(returned)}</bdi>
      ) : null}
    </>
  );
}
