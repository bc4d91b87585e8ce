import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { operatorMessages } from "~/operator-messages";

type SendState = keyof typeof operatorMessages.outreachBooks.states;

const VARIANTS: Record<SendState, BadgeProps["variant"]> = {
  draft: "neutral",
  preparing: "info",
  scheduled: "info",
  sending: "info",
  paused: "warning",
  finished: "success",
  cancelled: "neutral",
};

/** The state of a send in a word. @param hasBegun false before the time it is to begin, when nobody got it yet. */
export function SendStateBadge({ state, hasBegun = true }: { state: SendState; hasBegun?: boolean }) {
  const shown = hasBegun ? state : "scheduled";
  return <Badge variant={VARIANTS[shown]}>{operatorMessages.outreachBooks.states[shown]}</Badge>;
}
