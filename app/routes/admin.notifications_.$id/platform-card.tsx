import { Form } from "@remix-run/react";
import { Badge } from "~/components/ui/badge";
import type { BadgeProps } from "~/components/ui/badge";
import { IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.platform.broadcast;

type PartState = keyof typeof copy.states;

const VARIANTS: Record<PartState, BadgeProps["variant"]> = {
  pending: "neutral",
  retrying: "neutral",
  claimed: "info",
  sent: "success",
  failed: "danger",
  uncertain: "warning",
  skipped: "neutral",
};

interface PlatformCardProps {
  part: { state: PartState; successCount: number; failureCount: number; detail: string };
  /** Not of a cancelled notification. */
  canAskAgain: boolean;
}

/** What the application's own backend did with a notification, and the way on when that is unclear. */
export function PlatformCard({ part, canAskAgain }: PlatformCardProps) {
  const { state, successCount, failureCount, detail } = part;
  const said = state === "sent" ? copy.said.sent(successCount, failureCount) : copy.said[state];
  const isOpen = state === "failed" || state === "uncertain";
  return (
    <Card>
      <div className="flex items-center justify-between gap-3 px-4 pt-3">
        <CardTitle>{copy.title}</CardTitle>
        <Badge variant={VARIANTS[state]}>{copy.states[state]}</Badge>
      </div>
      <CardContent className="flex flex-col items-start gap-3 pt-2">
        <p className="max-w-[80ch] wrap-anywhere">
          {said} {detail ? copy.words(detail) : null}
        </p>
        {isOpen && canAskAgain ? (
          <Form method="post">
            <IntentButton intent="ask-platform-again">
              {state === "failed" ? copy.again : copy.againUncertain}
            </IntentButton>
          </Form>
        ) : null}
      </CardContent>
    </Card>
  );
}
