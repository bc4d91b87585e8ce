import { Form, Link } from "@remix-run/react";
import { IntentButton, buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.notifications.page;

interface SteeringProps {
  state: keyof typeof operatorMessages.outreachBooks.states;
  stoppedBy: "" | "unauthorized" | "message" | "refusals";
  failed: number;
  /** Where cancelling is asked about. */
  cancelAt: string;
}

/** Why it stopped by itself, and the buttons its state allows. */
export function Steering({ state, stoppedBy, failed, cancelAt }: SteeringProps) {
  const isMoving = state === "preparing" || state === "sending";
  const isPaused = state === "paused";
  const canRetry = failed > 0 && state === "finished";
  if (!isMoving && !isPaused && !canRetry) return null;
  return (
    <div className="flex flex-col gap-3">
      {stoppedBy ? <p className="max-w-[80ch]">{copy[stoppedBy]}</p> : null}
      <Form method="post" className="flex flex-wrap gap-2">
        {isMoving ? <Act intent="pause">{copy.pause}</Act> : null}
        {isPaused ? <Act intent="resume">{stoppedBy ? copy.tryAgain : copy.resume}</Act> : null}
        {stoppedBy === "refusals" ? <Act intent="accept-refusals">{copy.acceptRefusals}</Act> : null}
        {canRetry ? <Act intent="retry-failed">{copy.retryFailed}</Act> : null}
        {isMoving || isPaused ? (
          <Link to={cancelAt} className={buttonVariants({ variant: "danger", size: "dense" })}>
            {copy.cancel}
          </Link>
        ) : null}
      </Form>
      {stoppedBy === "refusals" ? <p className="text-xs text-muted-foreground">{copy.acceptHint}</p> : null}
    </div>
  );
}

function Act({ intent, children }: { intent: string; children: string }) {
  return <IntentButton intent={intent}>{children}</IntentButton>;
}
