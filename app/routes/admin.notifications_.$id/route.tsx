import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { BroadcastProgress, getBroadcastResult } from "~/components/broadcast-progress";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DeliveryTable } from "~/components/delivery-table";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { NotificationCard } from "~/components/notification-card";
import { PageHeader } from "~/components/page-header";
import { CampaignStateBadge, StateBadge } from "~/components/state-badge";
import { StatFigures } from "~/components/stat-figures";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { notificationMessages } from "~/content/notifications";
import { platformMessages as platform } from "~/content/platform";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { linkTo, readPage, readPlace, toPageLinks } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { getBroadcastCounts } from "~/lib/broadcast-counts";
import { grouped } from "~/lib/format-number";
import type { ListPage } from "~/lib/list-page";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { Actor } from "~/services/audit/audit.server";
import type { TransitionResult } from "~/services/broadcast/broadcast-state.server";
import { PUSH_FILTERS } from "~/services/broadcast/broadcast-stats.server";
import type { PlatformPart } from "~/services/broadcast/platform-part.server";
import { getStopReason } from "~/services/broadcast/circuit";
import { access, broadcasts } from "~/services/container.server";
import { isMoving } from "~/services/queue/life-cycle";

const { page: copy, audiences } = notificationMessages;
const ROWS = 50;

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view?.broadcast.title ?? "Notification") },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const broadcast = await broadcasts.find(params.id ?? "");
  if (!broadcast || broadcast.state === "draft") throw seeOther(paths.notifications);
  const { searchParams } = new URL(request.url);
  const state = PUSH_FILTERS.find((known) => known === searchParams.get("state"));
  const listDevices = async (page: ListPage) => {
    const pushes = await broadcasts.listPushes(broadcast.id, { state, ...page });
    // Pages go by the id of the device, and not of the push.
    return pushes.map(({ device_id: id, ...push }) => ({ ...push, id }));
  };
  const [stats, devices] = await Promise.all([
    broadcasts.getStats(broadcast.id),
    readPage(readPlace(searchParams), ROWS, listDevices, "asc"),
  ]);
  // While it is running the page refreshes every second, and the causes change.
  const failures = isMoving(broadcast) ? undefined : await broadcasts.getFailureCauses(broadcast.id);
  const page = paths.broadcast(broadcast.id);
  return {
    page,
    /** This page with its filter and its page of devices, without a question. */
    currentUrl: linkTo(page, { state, ...devices.place }),
    broadcast,
    /** Why it stopped by itself. */
    stoppedBy: getStopReason(broadcast),
    stats,
    state,
    failures,
    devices,
    now: Date.now(),
    asksToCancel: searchParams.get("step") === "cancel" && canCancel(broadcast),
  };
}

type BroadcastView = Awaited<ReturnType<typeof loader>>;

const canCancel = (broadcast: { state: string }) => isMoving(broadcast) || broadcast.state === "paused";

const ACTIONS: Readonly<Record<string, (id: string, by: Actor) => Promise<TransitionResult>>> = {
  pause: broadcasts.pause,
  resume: broadcasts.resume,
  "accept-refusals": broadcasts.acceptRefusals,
  "retry-failed": broadcasts.retryFailed,
  "ask-platform-again": broadcasts.retryPlatform,
  cancel: broadcasts.cancel,
};

/** Handles the page's buttons, and reports an action that the broadcast's status does not allow. */
export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const id = params.id ?? "";
  const { intent = "" } = firstValues(await readForm(request));
  const act = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
  const outcome = await act?.(id, getActor(request, operator));
  if (!outcome || outcome.ok) return report(undefined, paths.broadcast(id));
  if (outcome.error === "unknown-broadcast") return report("unknown-broadcast", paths.notifications);
  return report("notification-unchanged", paths.broadcast(id));
}

export const clientAction = keepForm();

/** One notification: its progress, its stats, and every device. */
export default function Broadcast() {
  const view = useLoaderData<typeof loader>();
  const { page, broadcast, stats, state } = view;
  const areDevicesListed = broadcast.prepared_through === broadcast.audience_through;
  // Without devices of ours the platform's part is all there is.
  const hasOwnDevices = stats.devices > 0 || !stats.platform || !areDevicesListed;
  const hold = { by: broadcast.hold, detail: broadcast.hold_detail };
  const missed = getBroadcastCounts(stats).failureCount;
  const inert = useInert(view.asksToCancel);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={broadcast.title}
          parent={{ to: paths.notifications, name: copy.list }}
          state={copy.summary(broadcast.tenant_name || audiences[broadcast.audience], broadcast.created_by)}
          actions={
            <CampaignStateBadge
              state={broadcast.state}
              isIncomplete={
                broadcast.state === "finished" &&
                (missed > 0 || getBroadcastResult("finished", hold, stats).kind !== "success")
              }
            />
          }
        />
        <Notice className="mb-4" />
        <div className="flex flex-col gap-4">
          <BroadcastProgress
            state={broadcast.state}
            hold={hold}
            stats={stats}
            refresh={
              view.asksToCancel ? null : <AutoRefresh everySeconds={1} at={view.currentUrl} version={stats} />
            }
          />
          <BroadcastControls view={view} />
          {stats.platform ? (
            <PlatformCard part={stats.platform} canAskAgain={broadcast.state !== "cancelled"} />
          ) : null}
          {hasOwnDevices ? (
            <>
              <StatFigures<(typeof PUSH_FILTERS)[number]>
                page={page}
                selected={state}
                label={copy.delivery}
                figures={[
                  { label: copy.devices, count: stats.devices },
                  { label: copy.sent, count: stats.sent, state: "accepted", colour: "success" },
                  { label: copy.failed, count: stats.failed, state: "failed", colour: "destructive" },
                  {
                    label: copy.gone,
                    count: stats.gone,
                    state: "gone",
                    colour: "warning",
                    note: stats.gone > 0 ? copy.goneNote : undefined,
                  },
                  { label: copy.skipped, count: stats.skipped, state: "skipped", colour: "neutral" },
                  {
                    label: copy.waiting,
                    count: stats.waiting,
                    state: "waiting",
                    colour: "rest",
                  },
                ]}
              />
              <FailureCauses view={view} />
              <Devices view={view} />
            </>
          ) : null}
          <Card>
            <CardHeader>
              <CardTitle>{copy.whatItSays}</CardTitle>
            </CardHeader>
            <CardContent className="max-w-xl">
              <NotificationCard
                title={broadcast.title}
                body={broadcast.body}
                link={hasOwnDevices ? broadcast.link : undefined}
              />
            </CardContent>
          </Card>
        </div>
      </div>
      {view.asksToCancel ? (
        <ConfirmDialog
          title={copy.cancelTitle}
          closeTo={view.currentUrl}
          intent="cancel"
          yes={copy.cancel}
          no={copy.keepSending}
          isDestructive
        >
          {hasOwnDevices ? <p>{copy.cancelQuestion(areDevicesListed ? stats.waiting : undefined)}</p> : null}
          {stats.platform?.state === "pending" || stats.platform?.state === "retrying" ? (
            <p>{platform.broadcast.cancel}</p>
          ) : null}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Says why the broadcast was paused automatically, with the buttons its state allows. */
function BroadcastControls({ view: { currentUrl, broadcast, stoppedBy, stats } }: { view: BroadcastView }) {
  const { state } = broadcast;
  const canPause = isMoving(broadcast);
  const isPaused = state === "paused";
  const canRetry = stats.failed > 0 && state === "finished";
  if (!canPause && !isPaused && !canRetry) return null;
  return (
    <div className="flex flex-col gap-3">
      {stoppedBy ? <p className="max-w-[50.5em]">{copy[stoppedBy]}</p> : null}
      <Form method="post" className="flex flex-wrap gap-2">
        {canPause ? <IntentButton intent="pause">{copy.pause}</IntentButton> : null}
        {isPaused ? (
          <IntentButton intent="resume">{stoppedBy ? copy.tryAgain : copy.resume}</IntentButton>
        ) : null}
        {stoppedBy === "refusals" ? (
          <IntentButton intent="accept-refusals">{copy.acceptRefusals}</IntentButton>
        ) : null}
        {canRetry ? <IntentButton intent="retry-failed">{copy.retryFailed}</IntentButton> : null}
        {canCancel(broadcast) ? (
          <ButtonLink to={linkTo(currentUrl, { step: "cancel" })} variant="destructive" preventScrollReset>
            {copy.cancel}
          </ButtonLink>
        ) : null}
      </Form>
      {stoppedBy === "refusals" ? <p className="text-xs text-muted-foreground">{copy.acceptHint}</p> : null}
    </div>
  );
}

/** Shows what the application's backend did with a notification, and offers a retry when that failed or is uncertain. */
function PlatformCard({ part, canAskAgain }: { part: PlatformPart; canAskAgain: boolean }) {
  const { state, successCount, failureCount, detail } = part;
  const said =
    state === "sent"
      ? platform.broadcast.said.sent(successCount, failureCount)
      : platform.broadcast.said[state];
  const canRetry = canAskAgain && (state === "failed" || state === "uncertain");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{platform.broadcast.title}</CardTitle>
        <CardAction>
          {/* Both read "Waiting for the platform", so they have one colour. */}
          <StateBadge state={state === "retrying" ? "pending" : state}>
            {platform.broadcast.states[state]}
          </StateBadge>
        </CardAction>
      </CardHeader>
      <CardContent className="flex flex-col items-start gap-3 pt-2">
        <p className="max-w-[50.5em] wrap-anywhere">
          {said} {detail ? platform.broadcast.reason(detail) : null}
        </p>
        {canRetry ? (
          <Form method="post">
            <IntentButton intent="ask-platform-again">
              {state === "failed" ? platform.broadcast.again : platform.broadcast.againUncertain}
            </IntentButton>
          </Form>
        ) : null}
      </CardContent>
    </Card>
  );
}

function Devices({ view: { page, broadcast, state, devices, now } }: { view: BroadcastView }) {
  return (
    <DeliveryTable
      caption={copy.tableCaption}
      recipient={copy.device}
      rows={devices.rows}
      subject={(row) => (
        <span title={row.id}>
          {row.service} <span className="whitespace-nowrap text-muted-foreground">…{row.id.slice(-8)}</span>
        </span>
      )}
      state={(row) => <StateBadge state={row.state}>{copy.rowStates[row.state]}</StateBadge>}
      detail={(row) => row.detail}
      now={now}
      empty={copy.noRows}
      download={linkTo(paths.broadcastExport(broadcast.id), { state })}
      paging={toPageLinks(page, devices, { state })}
    />
  );
}

/** Lists the causes of failure with their counts; each links to the devices in that state. */
function FailureCauses({ view: { page, failures } }: { view: BroadcastView }) {
  if (!failures || failures.causes.length === 0) return null;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{failures.onlyFirst ? copy.causesOfFirst(failures.onlyFirst) : copy.causes}</CardTitle>
      </CardHeader>
      <CardContent>
        <ul className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1.5">
          {failures.causes.map(({ detail, state, count }) => (
            <li key={`${state} ${detail}`} className="col-span-2 grid grid-cols-subgrid">
              <Link
                to={`${page}?state=${state}`}
                className="text-right tabular-nums underline underline-offset-4"
              >
                {grouped(count)}
              </Link>
              <bdi className="wrap-anywhere">{detail || copy.rowStates[state]}</bdi>
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
