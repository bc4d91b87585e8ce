import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { BroadcastProgress } from "~/components/broadcast-progress";
import { EmptyList } from "~/components/empty-list";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SentList } from "~/components/sent-list";
import { formatPausedBy } from "~/content/campaign-start";
import { backOfficeTitle } from "~/content/brand";
import { notificationMessages as copy } from "~/content/notifications";
import { toPageLinks } from "~/http/list-state";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { actOnNotification } from "./actions.server";
import { NotificationForm } from "./notification-form";
import { getNotificationsView, type NotificationsView } from "./notifications-view.server";
import { SendQuestion } from "./send-question";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

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
            at={`${paths.notifications}?${new URLSearchParams({ sent: progress.id })}`}
            page={paths.broadcast(progress.id)}
          />
        ) : null}
        <Notice />
        <NotificationForm
          // A new id is a new notification; the same id keeps the typed text.
          key={id}
          id={id}
          values={values}
          errors={refused?.errors ?? {}}
          companies={view.companies}
          sizes={view.sizes}
          forPlatform={view.forPlatform}
          pushSettings={view.pushSettings}
        />
        <History {...view} />
      </div>
      {question && !refused ? <SendQuestion {...question} /> : null}
    </>
  );
}

/** Lists the notifications, newest first. */
function History(props: Pick<NotificationsView, "history" | "older" | "isNewest" | "now">) {
  const { title, columns, emptyTitle, empty } = copy.history;
  return (
    <section aria-labelledby="history" id="sent" className="scroll-mt-16">
      <h2 id="history" className="mb-2 text-sm font-semibold">
        {title}
      </h2>
      <SentList
        caption={title}
        names={columns}
        rows={props.history.map((sent) => ({
          ...sent,
          to: paths.broadcast(sent.id),
          hold: sent.state === "paused" ? sent.problem || formatPausedBy(sent.paused) : undefined,
          audience: sent.tenant_name || copy.audiences[sent.audience],
        }))}
        now={props.now}
        empty={<EmptyList title={emptyTitle} then={empty} />}
        paging={toPageLinks(`${paths.notifications}#sent`, props)}
      />
    </section>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
