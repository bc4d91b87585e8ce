import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { operatorMessages } from "~/content/operator-messages";

type DeliveryState = keyof typeof operatorMessages.outreachBooks.rowStates;

const VARIANTS: Record<DeliveryState, BadgeProps["variant"]> = {
  pending: "neutral",
  claimed: "info",
  retrying: "warning",
  sent: "success",
  failed: "danger",
  skipped: "neutral",
  uncertain: "warning",
};

/** What became of one mail, in a word. */
export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <Badge variant={VARIANTS[state]}>{operatorMessages.outreachBooks.rowStates[state]}</Badge>;
}
