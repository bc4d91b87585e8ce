import { Form, Link } from "@remix-run/react";
import { SendNowButton, CancelCampaign } from "~/components/campaign-hold";
import { Button, buttonVariants, IntentButton } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";
import type { CampaignStats } from "~/services/outreach/campaign-stats.server";
import type { HoldReason } from "~/services/outreach/schedule";
import { Card, CardContent } from "~/components/ui/card";

const copy = operatorMessages.campaignStatus;

interface ToolbarProps {
  stats: CampaignStats;
  waiting: HoldReason | undefined;
  /** The address of the questions. */
  sendNowLink: string;
  rescheduleLink: string;
  cancelLink: string;
}

/**
 * The buttons that a campaign's status allows, on a line above everything that changes by itself. The buttons
 * that stop the campaign are at the other end of the line, so that no button appears where another one was.
 */
export function Toolbar({ stats, waiting, sendNowLink, rescheduleLink, cancelLink }: ToolbarProps) {
  const running = stats.state === "sending" || stats.state === "preparing";
  const paused = stats.state === "paused";
  const canRetry = stats.failed > 0 && stats.state !== "cancelled";
  const isHeld = waiting?.for === "hold";
  const isMissed = waiting?.for === "missed";
  const canStart =
    isHeld || isMissed || waiting?.for === "schedule" || (waiting?.for === "operator" && waiting.planned);
  return (
    <Form method="post" className="mb-4 flex items-start justify-between gap-2 max-sm:flex-col">
      <div className="flex flex-wrap gap-2">
        <Act intent="copy">{copy.copyAsDraft}</Act>
        {canStart ? <SendNowButton confirmAt={isHeld ? undefined : sendNowLink} /> : null}
        {canStart && !isHeld ? (
          <Link to={rescheduleLink} className={buttonVariants({ variant: "secondary", size: "dense" })}>
            {operatorMessages.campaignStart.reschedule}
          </Link>
        ) : null}
        {running ? <Act intent="pause">{copy.pause}</Act> : null}
        {paused && !isMissed ? <Act intent="resume">{copy.resume}</Act> : null}
        {canRetry ? <Act intent="retry-failed">{copy.retryFailed}</Act> : null}
      </div>
      {running || paused ? <CancelCampaign confirmAt={isHeld ? undefined : cancelLink} /> : null}
    </Form>
  );
}

function Act({ intent, children }: { intent: string; children: string }) {
  return <IntentButton intent={intent}>{children}</IntentButton>;
}

/** Reports emails that may or may not have arrived, for an operator to decide. */
export function Uncertain({ count }: { count: number }) {
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-80">{copy.uncertainQuestion(count)}</p>
        <Form method="post" className="flex flex-wrap gap-2">
          <input type="hidden" name="intent" value="decide" />
          <Button type="submit" name="decision" value="resend" variant="secondary" size="dense">
            {copy.resend}
          </Button>
          <Button type="submit" name="decision" value="count-as-sent" variant="secondary" size="dense">
            {copy.countAsSent}
          </Button>
        </Form>
      </CardContent>
    </Card>
  );
}
