import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { Banner } from "~/components/banner";
import { CampaignHold } from "~/components/campaign-hold";
import { CampaignStateBadge } from "~/components/state-badge";
import { EmailPreview } from "~/components/email-preview";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Card, CardContent } from "~/components/ui/card";
import { backOfficeTitle } from "~/content/brand";
import { campaignStatusMessages, outreachMessages } from "~/content/outreach";
import { utcTime } from "~/lib/format-time";
import { access } from "~/services/container.server";
import { hasNotBegun, isFarAway } from "~/services/outreach/schedule";
import { actOnCampaign } from "./actions.server";
import { CampaignStats, Reasons } from "./campaign-stats";
import { getCampaignView } from "./campaign-view.server";
import { Deliveries, SearchForm } from "./deliveries";
import { CancelQuestion, RescheduleQuestion, SendNowQuestion } from "./questions";
import { Toolbar, Uncertain } from "./toolbar";

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: backOfficeTitle(view?.campaign.title ?? "Campaign") },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return getCampaignView(params.id ?? "", request);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnCampaign(params.id ?? "", request, person);
}

/** One campaign: its stats, why it is on hold, and every recipient. */
export default function Campaign() {
  const view = useLoaderData<typeof loader>();
  const { campaign, stats, waiting, hold, retried, step, now } = view;
  const refused = useActionData<typeof action>();
  const isRunning = stats.state === "preparing" || stats.state === "sending";
  return (
    <>
      <PageHeader
        title={campaign.title}
        state={campaignStatusMessages.summary(campaign.audience, campaign.createdBy)}
        actions={
          <CampaignStateBadge
            state={stats.state}
            hasBegun={!hasNotBegun(waiting)}
            isMixed={stats.sent === 0 || stats.failed + stats.uncertain > 0}
          />
        }
      />
      {isRunning && !step ? (
        <AutoRefresh everySeconds={isFarAway(waiting, now) ? 30 : 1} version={now} />
      ) : null}
      <Toolbar view={view} />
      <Notice className="mb-4" />
      {retried ? (
        <Banner kind={retried.changed > 0 ? "success" : "info"} className="mb-4">
          {campaignStatusMessages.retried(retried.changed, retried.suppressed)}
        </Banner>
      ) : null}
      <div className="flex flex-col gap-4">
        {hold ? <CampaignHold {...hold} /> : null}
        {!waiting && stats.state === "sending" && stats.nextAttemptAt !== undefined ? (
          <CampaignHold
            sentence={`${outreachMessages.onlyRetries(stats.pending, utcTime(stats.nextAttemptAt))}.`}
          />
        ) : null}
        <CampaignStats view={view} />
        <Reasons view={view} />
        {stats.uncertain > 0 ? <Uncertain count={stats.uncertain} /> : null}
        <SearchForm view={view} />
        <Deliveries view={view} />
        {view.email ? (
          <Card>
            <details>
              <summary className="disclosure flex items-center gap-2 rounded-lg px-4 py-3 text-sm font-semibold hover:bg-muted">
                {outreachMessages.emailTitle}
              </summary>
              <CardContent>
                <EmailPreview campaignId={campaign.id} email={view.email} />
              </CardContent>
            </details>
          </Card>
        ) : null}
      </div>
      {step === "cancel" ? <CancelQuestion view={view} /> : null}
      {step === "send-now" ? <SendNowQuestion view={view} /> : null}
      {view.rescheduling ? (
        <RescheduleQuestion page={view.page} {...view.rescheduling} answer={refused} />
      ) : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
