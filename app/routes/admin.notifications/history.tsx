import { Link } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import type { Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { ListedStats } from "~/components/listed-stats";
import { CampaignStateBadge } from "~/components/campaign-state-badge";
import { Timestamp } from "~/components/timestamp";
import { linkTo } from "~/http/list-state";
import { operatorMessages } from "~/content/operator-messages";
import { pausedBy } from "~/content/outreach-pace";
import { paths } from "~/paths";
import type { NotificationsView } from "./notifications-view.server";

const { history: copy, audiences } = operatorMessages.notifications;
const { columns: names } = copy;
const PAGE = `${paths.notifications}#sent`;

type Notification = NotificationsView["history"][number];

/** What was sent, newest first. Where the table is narrow the columns after the title and the status make room. */
export function History(props: Pick<NotificationsView, "history" | "older" | "isNewest" | "now">) {
  const { history, older, isNewest, now } = props;
  const columns: Column<Notification>[] = [
    { name: names.title, cell: (sent) => <Title sent={sent} /> },
    {
      name: names.state,
      className: "sm:w-28",
      card: "caption",
      cell: ({ state }) => <CampaignStateBadge state={state} />,
    },
    {
      name: names.sent,
      className: "sm:w-40",
      card: "caption",
      cell: ({ stats }) => <ListedStats {...stats} />,
    },
    {
      name: names.audience,
      className: "text-muted-foreground sm:w-52 sm:max-md:hidden",
      card: "caption",
      cell: ({ tenant_name, audience }) => tenant_name || audiences[audience],
    },
    {
      name: names.by,
      className: "text-muted-foreground xl:w-56 max-xl:hidden",
      cell: ({ created_by }) => created_by,
    },
    {
      name: names.at,
      className: "lg:w-49 xl:w-79 max-lg:hidden",
      cell: ({ confirmed_at }) => <Timestamp at={confirmed_at ?? 0} now={now} exact />,
    },
  ];
  return (
    <section aria-labelledby="history" id="sent" className="scroll-mt-16">
      <h2 id="history" className="mb-2 text-sm font-semibold">
        {copy.title}
      </h2>
      <DataTable
        caption={copy.title}
        columns={columns}
        rows={history}
        empty={<EmptyList title={copy.emptyTitle} then={copy.empty} />}
        paging={{
          newest: isNewest ? undefined : PAGE,
          older: older === undefined ? undefined : linkTo(PAGE, { before: older }),
        }}
      />
    </section>
  );
}

function Title({ sent: { id, title, state, trouble, paused } }: { sent: Notification }) {
  return (
    <>
      <Link
        to={paths.broadcast(id)}
        title={title}
        className="block truncate font-medium underline-offset-4 hover:underline"
      >
        <bdi>{title}</bdi>
      </Link>
      {state === "paused" ? (
        <span className="line-clamp-3 text-xs text-muted-foreground">{trouble || pausedBy(paused)}</span>
      ) : null}
    </>
  );
}
