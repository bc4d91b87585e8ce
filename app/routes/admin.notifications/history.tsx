import { EmptyList } from "~/components/empty-list";
import { SentList } from "~/components/sent-list";
import { toPageLinks } from "~/http/list-state";
import { operatorMessages } from "~/content/operator-messages";
import { formatPausedBy } from "~/content/campaign-start";
import { paths } from "~/paths";
import type { NotificationsView } from "./notifications-view.server";

const { history: copy, audiences } = operatorMessages.notifications;

/** Lists the notifications, newest first. */
export function History(props: Pick<NotificationsView, "history" | "older" | "isNewest" | "now">) {
  const { history, now } = props;
  return (
    <section aria-labelledby="history" id="sent" className="scroll-mt-16">
      <h2 id="history" className="mb-2 text-sm font-semibold">
        {copy.title}
      </h2>
      <SentList
        caption={copy.title}
        names={copy.columns}
        rows={history.map((sent) => ({
          ...sent,
          to: paths.broadcast(sent.id),
          hold: sent.state === "paused" ? sent.trouble || formatPausedBy(sent.paused) : undefined,
          audience: sent.tenant_name || audiences[sent.audience],
        }))}
        now={now}
        empty={<EmptyList title={copy.emptyTitle} then={copy.empty} />}
        paging={toPageLinks(`${paths.notifications}#sent`, props)}
      />
    </section>
  );
}
