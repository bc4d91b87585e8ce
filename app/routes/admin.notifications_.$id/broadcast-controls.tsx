import { Form } from "@remix-run/react";
import { Badge, type BadgeProps } from "~/components/ui/badge";
import { ButtonLink, IntentButton } from "~/components/ui/button";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { notificationMessages } from "~/content/notifications";
import { platformMessages } from "~/content/platform";
import type { PlatformPart } from "~/services/broadcast/platform-part.server";
import type { BroadcastView } from "./route";

const copy = notificationMessages.page;
const platformCopy = platformMessages.broadcast;

/** Says why the broadcast was paused automatically, with the buttons its state allows. */
export function BroadcastControls({ view: { page, broadcast, stats } }: { view: BroadcastView }) {
  const { state, stopped_by: stoppedBy } = broadcast;
  const isMoving = state === "preparing" || state === "sending";
  const isPaused = state === "paused";
  const canRetry = stats.failed > 0 && state === "finished";
  if (!isMoving && !isPaused && !canRetry) return null;
  return (
    <div className="flex flex-col gap-3">
      {stoppedBy ? <p className="max-w-[80ch]">{copy[stoppedBy]}</p> : null}
      <Form method="post" className="flex flex-wrap gap-2">
        {isMoving ? <IntentButton intent="pause">{copy.pause}</IntentButton> : null}
        {isPaused ? (
          <IntentButton intent="resume">{stoppedBy ? copy.tryAgain : copy.resume}</IntentButton>
        ) : null}
        {stoppedBy === "refusals" ? (
          <IntentButton intent="accept-refusals">{copy.acceptRefusals}</IntentButton>
        ) : null}
        {canRetry ? <IntentButton intent="retry-failed">{copy.retryFailed}</IntentButton> : null}
        {isMoving || isPaused ? (
          <ButtonLink to={`${page}?step=cancel`} variant="danger">
            {copy.cancel}
          </ButtonLink>
        ) : null}
      </Form>
      {stoppedBy === "refusals" ? <p className="text-xs text-muted-foreground">{copy.acceptHint}</p> : null}
    </div>
  );
}

const VARIANTS: Record<PlatformPart["state"], BadgeProps["variant"]> = {
  pending: "neutral",
  retrying: "neutral",
  claimed: "info",
  sent: "success",
  failed: "danger",
  uncertain: "warning",
  skipped: "neutral",
};

interface PlatformCardProps {
  part: PlatformPart;
  /** False for a cancelled notification. */
  canAskAgain: boolean;
}

/** Shows what the application's backend did with a notification, and offers a retry when that is uncertain. */
export function PlatformCard({ part, canAskAgain }: PlatformCardProps) {
  const { state, successCount, failureCount, detail } = part;
  const said =
    state === "sent" ? platformCopy.said.sent(successCount, failureCount) : platformCopy.said[state];
  const isOpen = state === "failed" || state === "uncertain";
  return (
    <Card>
      <div className="flex items-center justify-between gap-3 px-4 pt-3">
        <CardTitle>{platformCopy.title}</CardTitle>
        <Badge variant={VARIANTS[state]}>{platformCopy.states[state]}</Badge>
      </div>
      <CardContent className="flex flex-col items-start gap-3 pt-2">
        <p className="max-w-[80ch] wrap-anywhere">
          {said} {detail ? platformCopy.reason(detail) : null}
        </p>
        {isOpen && canAskAgain ? (
          <Form method="post">
            <IntentButton intent="ask-platform-again">
              {state === "failed" ? platformCopy.again : platformCopy.againUncertain}
            </IntentButton>
          </Form>
        ) : null}
      </CardContent>
    </Card>
  );
}
