import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { operatorMessages } from "~/operator-messages";

type SendState = keyof typeof operatorMessages.outreachBooks.states;

const VARIANTS: Record<SendState, BadgeProps["variant"]> = {
  draft: "neutral",
  preparing: "info",
  sending: "info",
  paused: "warning",
  finished: "success",
  cancelled: "neutral",
};

/** The state of a send in a word. */
export function SendStateBadge({ state }: { state: SendState }) {
  return <Badge variant={VARIANTS[state]}>{operatorMessages.outreachBooks.states[state]}</Badge>;
}
