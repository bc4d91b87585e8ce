import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BroadcastProgress } from "~/components/broadcast-progress";
import { CampaignStateBadge } from "~/components/campaign-state-badge";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { Notice } from "~/components/notice";
import { NotificationCard } from "~/components/notification-card";
import { PageHeader } from "~/components/page-header";
import { StatFigures } from "~/components/stat-figures";
import { Card, CardContent, CardHeader } from "~/components/ui/card";
import { backOfficeTitle } from "~/content/brand";
import { notificationMessages } from "~/content/notifications";
import { platformMessages as platform } from "~/content/platform";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { toPage } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { Actor } from "~/services/audit/audit.server";
import type { TransitionResult } from "~/services/broadcast/broadcast-state.server";
import { access, broadcasts } from "~/services/container.server";
import { PlatformCard, BroadcastControls } from "./broadcast-controls";
import { Devices, FailureCauses } from "./devices";
import { readListedState, type ListedState } from "./push-states";

const { page: copy, audiences } = notificationMessages;
const ROWS = 50;

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: backOfficeTitle(view?.broadcast.title ?? "Notification") },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const broadcast = await broadcasts.find(params.id ?? "");
  if (!broadcast || broadcast.state === "draft") throw seeOther(paths.notifications);
  const { searchParams } = new URL(request.url);
  const state = readListedState(searchParams);
  const after = searchParams.get("after") ?? undefined;
  const [stats, found] = await Promise.all([
    broadcasts.getStats(broadcast.id),
    broadcasts.listPushes(broadcast.id, { state, after, limit: ROWS + 1 }),
  ]);
  // While it is running the page refreshes every second, and the causes change.
  const isUnderWay = broadcast.state === "preparing" || broadcast.state === "sending";
  const causes = isUnderWay ? [] : await broadcasts.getFailureCauses(broadcast.id);
  return {
    page: paths.broadcast(broadcast.id),
    broadcast,
    stats,
    state,
    causes,
    ...toPage(
      found.map((row) => ({ ...row, id: row.device_id })),
      ROWS,
    ),
    now: Date.now(),
    asksToCancel: searchParams.get("step") === "cancel",
  };
}

export type BroadcastView = Awaited<ReturnType<typeof loader>>;

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
  const person = await access.requireAccount(request);
  const id = params.id ?? "";
  const { intent = "" } = typed(await readForm(request));
  const act = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
  const outcome = await act?.(id, getActor(request, person));
  if (!outcome || outcome.ok) return report(undefined, paths.broadcast(id));
  if (outcome.error === "unknown-broadcast") return report("unknown-broadcast", paths.notifications);
  return report("notification-unchanged", paths.broadcast(id));
}

/** One notification: its progress, its stats, and every device. */
export default function Broadcast() {
  const view = useLoaderData<typeof loader>();
  const { page, broadcast, stats, state } = view;
  // A notification for the application alone has no devices of ours.
  const hasOwnDevices = stats.devices > 0 || !stats.platform;
  return (
    <>
      <PageHeader
        title={broadcast.title}
        state={copy.summary(broadcast.tenant_name || audiences[broadcast.audience], broadcast.created_by)}
        actions={
          <CampaignStateBadge
            state={broadcast.state}
            isMixed={stats.sent === 0 || stats.failed + stats.gone > 0}
          />
        }
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        <BroadcastProgress state={broadcast.state} problem={broadcast.problem} stats={stats} at={page} />
        <BroadcastControls view={view} />
        {stats.platform ? (
          <PlatformCard part={stats.platform} canAskAgain={broadcast.state !== "cancelled"} />
        ) : null}
        {hasOwnDevices ? (
          <>
            <StatFigures<ListedState>
              page={page}
              selected={state}
              figures={[
                { label: copy.devices, count: stats.devices, state: undefined },
                { label: copy.sent, count: stats.sent, state: "accepted" },
                { label: copy.failed, count: stats.failed, state: "failed" },
                {
                  label: copy.gone,
                  count: stats.gone,
                  state: "gone",
                  note: stats.gone > 0 ? copy.goneNote : undefined,
                },
                { label: copy.skipped, count: stats.skipped, state: "skipped" },
                {
                  label: copy.waiting,
                  count: stats.waiting,
                  state: stats.retrying > 0 ? "retrying" : "pending",
                },
              ]}
            />
            <FailureCauses view={view} />
            <Devices view={view} />
          </>
        ) : null}
        <Card>
          <CardHeader title={copy.whatItSays} />
          <CardContent className="flex max-w-xl flex-col gap-2">
            <NotificationCard title={broadcast.title} body={broadcast.body} />
            {hasOwnDevices ? (
              <p className="text-xs break-words text-muted-foreground">{copy.leadsTo(broadcast.link)}</p>
            ) : null}
          </CardContent>
        </Card>
      </div>
      {view.asksToCancel ? (
        <ConfirmDialog
          title={copy.cancelTitle}
          closeTo={page}
          intent="cancel"
          yes={copy.cancel}
          no={copy.keepSending}
          isDestructive
        >
          {hasOwnDevices ? <p>{copy.cancelQuestion(stats.waiting)}</p> : null}
          {stats.platform?.state === "pending" || stats.platform?.state === "retrying" ? (
            <p>{platform.broadcast.cancel}</p>
          ) : null}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
