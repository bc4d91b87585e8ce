import { Form } from "@remix-run/react";
import { CampaignButton } from "~/components/campaign-hold";
import { Button, ButtonLink, IntentButton } from "~/components/ui/button";
import { Card, CardContent } from "~/components/ui/card";
import { campaignStartMessages } from "~/content/campaign-start";
import { campaignStatusMessages as copy } from "~/content/outreach";
import type { CampaignView } from "./campaign-view.server";

/**
 * The buttons that a campaign's status allows, on a line above everything that changes by itself. The buttons
 * that stop the campaign are at the other end of the line, so that no button appears where another one was.
 */
export function Toolbar({ view: { page, stats, waiting, planned } }: { view: CampaignView }) {
  const running = stats.state === "sending" || stats.state === "preparing";
  const paused = stats.state === "paused";
  const canRetry = stats.failed > 0 && stats.state !== "cancelled";
  const isHeld = waiting?.for === "hold";
  const isMissed = waiting?.for === "missed";
  return (
    <Form method="post" className="mb-4 flex items-start justify-between gap-2 max-sm:flex-col">
      <div className="flex flex-wrap gap-2">
        <IntentButton intent="copy">{copy.copyAsDraft}</IntentButton>
        {isHeld || planned ? (
          <CampaignButton intent="begin" confirmAt={isHeld ? undefined : `${page}?step=send-now`} />
        ) : null}
        {planned ? (
          <ButtonLink to={`${page}?step=reschedule`}>{campaignStartMessages.reschedule}</ButtonLink>
        ) : null}
        {running ? <IntentButton intent="pause">{copy.pause}</IntentButton> : null}
        {paused && !isMissed ? <IntentButton intent="resume">{copy.resume}</IntentButton> : null}
        {canRetry ? <IntentButton intent="retry-failed">{copy.retryFailed}</IntentButton> : null}
      </div>
      {running || paused ? (
        <CampaignButton intent="cancel" confirmAt={isHeld ? undefined : `${page}?step=cancel`} />
      ) : null}
    </Form>
  );
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
