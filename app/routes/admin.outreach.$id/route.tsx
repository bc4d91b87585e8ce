import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { Banner } from "~/components/banner";
import { CampaignHold } from "~/components/campaign-hold";
import { CampaignStateBadge } from "~/components/campaign-state-badge";
import { EmailPreview } from "~/components/email-preview";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Card, CardContent } from "~/components/ui/card";
import { backOfficeTitle } from "~/content/brand";
import { explainHold } from "~/content/campaign-hold";
import { campaignStatusMessages, outreachMessages } from "~/content/outreach";
import { toPage } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { emailKey } from "~/lib/email-address";
import { utcTime } from "~/lib/format-time";
import { UTC, formatZonedMinute, formatZonedTime } from "~/lib/zoned-time";
import { paths } from "~/paths";
import { access, appearanceCookie, emailPreviews, outreach, people } from "~/services/container.server";
import { getPlannedTime, hasNotBegun, isFarAway } from "~/services/outreach/schedule";
import { getClocks } from "../admin.dashboard/read-schedule";
import { actOnCampaign } from "./actions.server";
import { CampaignStats, Reasons } from "./campaign-stats";
import { Deliveries, SearchForm } from "./deliveries";
import { deliveriesList } from "./delivery-filter";
import { CancelQuestion, RescheduleQuestion, SendNowQuestion } from "./questions";
import { Toolbar, Uncertain } from "./toolbar";

const ROWS = 50;
const STEPS = ["cancel", "send-now", "reschedule"] as const;

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: backOfficeTitle(view?.campaign.title ?? "Campaign") },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const campaign = await outreach.findCampaign(params.id ?? "");
  if (!campaign || campaign.state === "draft") throw seeOther(paths.dashboard);
  const { searchParams } = new URL(request.url);
  const { values, filter } = deliveriesList.readLoosely(searchParams);
  const after = searchParams.get("after") ?? undefined;
  const [stats, waiting, email, found, failures] = await Promise.all([
    outreach.getStats(campaign.id),
    outreach.getHoldReason(campaign),
    emailPreviews.previewText(campaign.id),
    outreach.listDeliveries(campaign.id, { ...filter, after, limit: ROWS + 1 }),
    outreach.getFailureReasons(campaign.id),
  ]);
  const { timeZone } = await appearanceCookie.read(request);
  const zone = timeZone || UTC;
  const now = Date.now();
  const step = STEPS.find((known) => known === searchParams.get("step"));
  const planned = getPlannedTime(waiting);
  const { rows, older } = toPage(found, ROWS);
  const persons = await people.findIds(rows.map(({ address }) => address));
  return {
    page: paths.outreachCampaign(campaign.id),
    campaign: {
      id: campaign.id,
      title: campaign.title,
      audience: campaign.audience,
      createdBy: campaign.created_by,
    },
    stats,
    email,
    waiting,
    hold: waiting && explainHold(waiting, { now, timeZone: zone }),
    /** The planned time, formatted. */
    planned: planned === undefined ? undefined : formatZonedTime(planned, zone),
    rescheduling:
      planned === undefined || step !== "reschedule"
        ? undefined
        : {
            clocks: getClocks(timeZone),
            values: {
              beginAt: formatZonedMinute(planned, zone),
              timeZone: zone,
              whenMissed: campaign.when_missed,
            },
          },
    now,
    values,
    filter,
    failures,
    /** `person`: the id of one of their submissions. */
    rows: rows.map((row) => ({ ...row, person: persons.get(emailKey(row.address)) })),
    /** The last id shown, when there are more. */
    older,
    retried: readRetried(searchParams),
    step,
  };
}

export type CampaignView = Awaited<ReturnType<typeof loader>>;

/** Reads the result of Retry failed; undefined when the URL has none. */
function readRetried(search: URLSearchParams): { changed: number; suppressed: number } | undefined {
  const [changed, suppressed] = [search.get("retried"), search.get("suppressed")];
  if (!isCount(changed) || !isCount(suppressed)) return undefined;
  return { changed: Number(changed), suppressed: Number(suppressed) };
}

function isCount(value: string | null): boolean {
  return /^\d{1,9}$/.test(value ?? "");
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
