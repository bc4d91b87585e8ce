import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { messages } from "~/messages";

type SendState = keyof typeof messages.outreachBooks.states;

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
  return <Badge variant={VARIANTS[state]}>{messages.outreachBooks.states[state]}</Badge>;
}
