import type { ComponentProps } from "react";
import { ShareBar } from "~/components/charts/share-bar";
import { CampaignStateBadge, isIncomplete, type Totals } from "~/components/state-badge";
import { RowLink } from "~/components/list-detail";
import { DataTable, type DataTableProps } from "~/components/data-table";
import { Link } from "@remix-run/react";
import { Timestamp } from "~/components/timestamp";
import { UnbrokenTimes } from "~/components/unbroken-times";
import { campaignsMessages as copy } from "~/content/campaigns";

interface Sent {
  id: string;
  to: string;
  title: string;
  /** Why it waits or is paused, in words; below the title. */
  hold: string | undefined;
  state: ComponentProps<typeof CampaignStateBadge>["state"];
  isScheduled?: boolean;
  stats: Totals & { failed: number };
  audience: string;
  created_by: string;
  confirmed_at: number | null;
}

interface SentListProps extends Pick<
  DataTableProps<Sent>,
  "caption" | "rows" | "empty" | "paging" | "sorting"
> {
  names: { title: string; state: string; sent: string; audience: string; by: string; at: string };
  now: number;
  /** True where a row's page opens beside the list. */
  opensBeside?: boolean;
}

/**
 * Lists campaigns or notifications in the order of the rows. Columns without room are hidden; in a list beside one of its
 * rows, all but title and status.
 */
export function SentList({ names, now, opensBeside = false, ...table }: SentListProps) {
  return (
    <DataTable
      {...table}
      columns={[
        { name: names.title, sort: "title", cell: (sent) => <Title sent={sent} opensBeside={opensBeside} /> },
        {
          name: names.state,
          width: "sm:w-28",
          card: "caption",
          cell: ({ state, isScheduled, stats }) => (
            <CampaignStateBadge state={state} isScheduled={isScheduled} isIncomplete={isIncomplete(stats)} />
          ),
        },
        {
          name: names.sent,
          width: "sm:w-40",
          className: "beside:hidden",
          card: "caption",
          cell: Stats,
        },
        {
          name: names.audience,
          width: "sm:w-40 lg:w-52",
          className: "text-muted-foreground sm:max-md:hidden beside:hidden",
          card: "caption",
          cell: ({ audience }) => audience,
        },
        {
          name: names.by,
          width: "xl:w-56",
          className: "text-muted-foreground max-xl:hidden beside:hidden",
          cell: ({ created_by }) => created_by,
        },
        {
          name: names.at,
          sort: "confirmed",
          width: "lg:w-40 xl:w-79",
          className: "max-lg:hidden beside:hidden",
          cell: ({ confirmed_at }) => <Timestamp at={confirmed_at ?? 0} now={now} exact />,
        },
      ]}
    />
  );
}

function Title({ sent: { to, title, hold }, opensBeside }: { sent: Sent; opensBeside: boolean }) {
  const TitleLink = opensBeside ? RowLink : Link;
  return (
    <>
      <TitleLink
        to={to}
        title={title}
        className="block truncate font-medium text-foreground underline-offset-4 hover:underline"
      >
        <bdi>{title}</bdi>
      </TitleLink>
      {hold ? (
        <span
          title={hold}
          className="line-clamp-3 text-xs text-muted-foreground md:line-clamp-1 md:break-all"
        >
          <UnbrokenTimes>{hold}</UnbrokenTimes>
        </span>
      ) : null}
    </>
  );
}

/** Shows how many recipients were sent to and how many failed; empty without recipients. */
function Stats({ stats: { recipients, sent, failed } }: Sent) {
  if (recipients === 0) return null;
  return (
    <>
      <span className="flex flex-wrap gap-x-2 tabular-nums">
        <span className="whitespace-nowrap">{copy.sentCount(sent, recipients)}</span>
        {failed > 0 ? (
          <span className="whitespace-nowrap text-destructive">{copy.failed(failed)}</span>
        ) : null}
      </span>
      <ShareBar
        label={copy.delivery.label}
        parts={[
          { name: copy.delivery.sent, count: sent, colour: "success" },
          { name: copy.delivery.failed, count: failed, colour: "destructive" },
          { name: copy.delivery.rest, count: Math.max(0, recipients - sent - failed), colour: "rest" },
        ]}
        height={4}
        className="max-w-36 max-sm:w-0 max-sm:min-w-full md:-mb-1"
      />
    </>
  );
}
