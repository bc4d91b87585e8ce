import { Badge, type BadgeProps } from "~/components/ui/badge";
import { campaignStatusMessages, skipReason } from "~/content/outreach";

/** The states of the emails of a campaign. */
export const DELIVERY_STATES = {
  pending: { name: "Pending", variant: "neutral" },
  claimed: { name: "Sending", variant: "info" },
  retrying: { name: "Retrying", variant: "warning" },
  sent: { name: "Sent", variant: "success" },
  failed: { name: "Failed", variant: "danger" },
  skipped: { name: "Skipped", variant: "neutral" },
  uncertain: { name: "Uncertain", variant: "warning" },
} as const satisfies Record<string, { name: string; variant: BadgeProps["variant"] }>;

type DeliveryState = keyof typeof DELIVERY_STATES;
type Returned = Parameters<typeof campaignStatusMessages.returnedLater>[0];

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  const { name, variant } = DELIVERY_STATES[state];
  return <Badge variant={variant}>{name}</Badge>;
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
