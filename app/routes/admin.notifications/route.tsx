import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { BroadcastProgress } from "~/components/broadcast-progress";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { EmptyList } from "~/components/empty-list";
import { HiddenFields } from "~/components/hidden-fields";
import { Notice } from "~/components/notice";
import { NotificationCard } from "~/components/notification-card";
import { PageHeader } from "~/components/page-header";
import { SentList } from "~/components/sent-list";
import { backOfficeTitle } from "~/content/brand";
import { formatPausedBy } from "~/content/campaign-start";
import { notificationMessages as copy } from "~/content/notifications";
import { platformMessages as platform } from "~/content/platform";
import { linkTo, toPageLinks } from "~/http/list-state";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { actOnNotification } from "./actions.server";
import { NotificationForm } from "./notification-form";
import { getNotificationsView, type NotificationsView } from "./notifications-view.server";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export { passActionHeaders as headers } from "~/http/action-result.server";

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return getNotificationsView(new URL(request.url).searchParams);
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnNotification(request, person);
}

/** The Push Notifications screen (specification, section 2): all its state is in its draft and its URL. */
export default function Notifications() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refused = answer?.form === "notification" ? answer : undefined;
  const { id, values } = refused ?? view.form;
  const { progress, question } = view;
  return (
    <>
      <PageHeader title={copy.title} state={copy.state(view.sizes.all)} />
      <div className="flex flex-col gap-6">
        {progress ? (
          <BroadcastProgress
            {...progress}
            at={linkTo(paths.notifications, { sent: progress.id })}
            page={paths.broadcast(progress.id)}
          />
        ) : null}
        <Notice />
        <NotificationForm
          // A new id is a new notification; the same id keeps the typed text.
          key={id}
          view={view}
          id={id}
          values={values}
          errors={refused?.errors ?? {}}
        />
        <History view={view} />
      </div>
      {question && !refused ? <SendQuestion {...question} /> : null}
    </>
  );
}

function History({ view }: { view: NotificationsView }) {
  const { title, columns, emptyTitle, empty } = copy.history;
  return (
    <section aria-labelledby="history" id="sent" className="scroll-mt-16">
      <h2 id="history" className="mb-2 text-sm font-semibold">
        {title}
      </h2>
      <SentList
        caption={title}
        names={columns}
        rows={view.rows.map((sent) => ({
          ...sent,
          to: paths.broadcast(sent.id),
          hold: sent.state === "paused" ? sent.problem || formatPausedBy(sent.paused) : undefined,
          audience: sent.tenant_name || copy.audiences[sent.audience],
        }))}
        now={view.now}
        empty={<EmptyList title={emptyTitle} then={empty} />}
        paging={toPageLinks(`${paths.notifications}#sent`, view)}
      />
    </section>
  );
}

/** The last confirmation. The draft's id becomes the broadcast's id, so that pressing twice sends once. */
function SendQuestion(props: NonNullable<NotificationsView["question"]>) {
  const { devices, isForPlatform } = props;
  const { id, audience, tenant_name, title, body } = props.draft;
  const audienceName = tenant_name || copy.audiences[audience];
  return (
    <ConfirmDialog
      title={copy.confirmTitle}
      closeTo={linkTo(paths.notifications, { draft: id })}
      action={paths.notifications}
      intent="confirm"
      yes={copy.send}
      yesBusy={copy.sending}
      no={copy.cancel}
      fields={<HiddenFields values={{ id, devices: String(devices) }} />}
    >
      <p>
        {isForPlatform ? formatQuestion(devices, audienceName) : copy.confirm(devices, audienceName)}{" "}
        {copy.cannotBeUndone}
      </p>
      <NotificationCard title={title} body={body} />
    </ConfirmDialog>
  );
}

function formatQuestion(devices: number, audience: string): string {
  const { alsoTo, onlyTo } = platform.broadcast;
  return devices > 0 ? alsoTo(copy.size(devices), audience) : onlyTo(audience);
}

export { Failure as ErrorBoundary } from "~/components/failure";
