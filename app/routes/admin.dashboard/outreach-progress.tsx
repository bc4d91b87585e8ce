import { Form, Link } from "@remix-run/react";
import { Clock, LoaderCircle } from "lucide-react";
import { Banner } from "~/components/banner";
import { AutoRefresh } from "~/components/auto-refresh";
import { Progress } from "~/components/ui/progress";
import { CampaignButton } from "~/components/campaign/campaign-button";
import { useTimeZone } from "~/components/time-zone";
import { UnbrokenTimes } from "~/components/unbroken-times";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { zonedMinute } from "~/lib/format-time";
import { campaignStartMessages } from "~/content/campaign-start";
import { campaignStatusMessages, outreachMessages as copy } from "~/content/outreach";
import { paths } from "~/paths";
import { isStartAhead } from "~/services/outreach/schedule";
import { isMoving } from "~/services/queue/life-cycle";
import type { OutreachView } from "./outreach-view.server";

type CampaignProgress = NonNullable<OutreachView["progress"]>;

/** Shows a campaign's progress over the panel, or its result above an empty form. */
export function OutreachProgress({ progress }: { progress: CampaignProgress }) {
  const link = (
    <Link to={paths.outreachCampaign(progress.id)} className="underline underline-offset-2">
      {copy.seeCampaign}
    </Link>
  );
  if (isMoving(progress)) return <Overlay progress={progress}>{link}</Overlay>;
  const { kind, text } = getCampaignResult(progress);
  return (
    <Banner kind={kind} title={text} className="mb-4">
      <HoldReasonText progress={progress} />
      <p>
        {campaignStatusMessages.sentence(progress)} {link}
      </p>
    </Banner>
  );
}

type CampaignOutcome = Pick<CampaignProgress, "state" | "waiting" | "sent" | "failed" | "uncertain">;

/**
 * Returns the result of a campaign that is not running, and its colour (specification, section 8). A paused one whose emails
 * were not refused has no text: the reason beside it is enough.
 */
export function getCampaignResult({ state, waiting, sent, failed, uncertain }: CampaignOutcome): {
  kind: "success" | "error" | "info";
  text?: string;
} {
  if (state === "cancelled") return { kind: "info", text: copy.cancelled };
  const isRefused = waiting?.for === "refusals" || waiting?.for === "login";
  if (state === "paused" && !isRefused) return { kind: "info" };
  if (state !== "finished" || failed + uncertain > 0) return { kind: "error", text: copy.failed };
  if (sent === 0) return { kind: "info", text: copy.nobodyReached };
  return { kind: "success", text: copy.sent };
}

function Overlay({ progress, children }: { progress: CampaignProgress; children: React.ReactNode }) {
  const { waiting, refreshTo } = progress;
  // While its recipients are stored, that progress is shown first.
  const isPlanned = progress.state === "sending" && isStartAhead(waiting);
  return (
    <div
      // A countdown announced every second would be a nuisance.
      role={isPlanned ? undefined : "status"}
      className="absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 rounded-b-lg bg-card/95 p-6 text-center"
    >
      <AutoRefresh everySeconds={progress.isSlow ? 30 : 1} at={refreshTo} version={progress} />
      {isPlanned ? <PlannedCampaign progress={progress} /> : <RunningCampaign progress={progress} />}
      <p className="text-muted-foreground">
        {copy.goesOn} {children}
      </p>
      <ButtonLink to={paths.outreachPanel}>{copy.leave}</ButtonLink>
    </div>
  );
}

function RunningCampaign({ progress }: { progress: CampaignProgress }) {
  const timeZone = useTimeZone();
  const done = progress.recipients - progress.pending;
  return (
    <>
      {progress.isSlow ? (
        <Clock aria-hidden className="size-6 text-primary" />
      ) : (
        <LoaderCircle aria-hidden className="size-6 animate-spin text-primary motion-reduce:animate-none" />
      )}
      <p className="text-base font-medium tabular-nums">{progressText(progress, done, timeZone)}</p>
      <Progress aria-label={copy.sendEmail} value={done} max={progress.recipients} />
      <PaceText progress={progress} />
      <Unsent progress={progress} />
      <HoldReasonText progress={progress} />
      <StopButtons id={progress.id} />
    </>
  );
}

/** Pauses the campaign at once, or asks before it is cancelled, on its own page. */
function StopButtons({ id }: { id: string }) {
  const page = paths.outreachCampaign(id);
  return (
    <Form method="post" action={page} className="flex flex-wrap justify-center gap-2">
      <IntentButton intent="pause">{campaignStatusMessages.pause}</IntentButton>
      <CampaignButton intent="cancel" page={page} isHeld={false} />
    </Form>
  );
}

/** A campaign that has not started: it can be edited, started now or cancelled. */
function PlannedCampaign({ progress }: { progress: CampaignProgress }) {
  const page = paths.outreachCampaign(progress.id);
  const isHeld = progress.waiting?.for === "hold";
  return (
    <>
      <Clock aria-hidden className="size-6 text-primary" />
      <div className="text-base font-medium tabular-nums">
        <HoldReasonText progress={progress} />
      </div>
      <p className="text-muted-foreground">{campaignStartMessages.chosen(progress.recipients)}</p>
      <PaceText progress={progress} />
      <Unsent progress={progress} />
      <Form method="post" action={page} className="flex flex-wrap justify-center gap-2">
        <CampaignButton intent="edit" page={page} isHeld={isHeld} />
        <CampaignButton intent="begin" page={page} isHeld={isHeld} />
        <CampaignButton intent="cancel" page={page} isHeld={isHeld} />
      </Form>
    </>
  );
}

/** Counts the failed and the uncertain, and says who of the audience is left out. */
function Unsent({ progress }: { progress: CampaignProgress }) {
  const { failed, uncertain } = progress;
  const words = campaignStatusMessages.leftOut(progress);
  return (
    <>
      {failed > 0 ? <p className="font-medium text-destructive">{copy.failedCount(failed)}</p> : null}
      {uncertain > 0 ? <p className="font-medium text-warning">{copy.uncertainCount(uncertain)}</p> : null}
      {words ? <p className="text-muted-foreground">{words}</p> : null}
    </>
  );
}

function PaceText({ progress: { pace } }: { progress: CampaignProgress }) {
  if (!pace) return null;
  return (
    <p className="text-muted-foreground tabular-nums">
      <UnbrokenTimes>{pace}</UnbrokenTimes>
    </p>
  );
}

function HoldReasonText({ progress: { hold } }: { progress: CampaignProgress }) {
  if (!hold) return null;
  const { sentence, words } = hold;
  return (
    <p className="max-w-prose break-words">
      <UnbrokenTimes>{sentence}</UnbrokenTimes> {words}
    </p>
  );
}

function progressText(progress: CampaignProgress, done: number, timeZone: string): string {
  if (progress.state === "preparing") return copy.preparing(progress.recipients, done);
  const { sent, recipients, retrying, pending, nextAttemptAt } = progress;
  if (progress.waiting?.for === "server") return copy.unreachable(sent, recipients);
  if (nextAttemptAt !== undefined) {
    return copy.sentAndRetries(
      sent,
      recipients,
      copy.onlyRetries(pending, zonedMinute(nextAttemptAt, timeZone)),
    );
  }
  return retrying > 0 ? copy.retrying(sent, recipients, retrying) : copy.progress(done, recipients);
}
