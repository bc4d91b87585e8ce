import { Link } from "@remix-run/react";
import { DataTable } from "~/components/data-table";
import type { Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { ListedStats } from "~/components/listed-stats";
import { CampaignStateBadge } from "~/components/campaign-state-badge";
import { Timestamp } from "~/components/timestamp";
import { linkTo } from "~/http/list-state";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { ListedCampaign, ListedStats as Stats } from "~/services/outreach/campaign-stats.server";

const copy = operatorMessages.sends;
const { columns: names } = copy;

type Campaign = ListedCampaign & { stats: Stats; waits: string | undefined };

interface CampaignListProps {
  campaigns: Campaign[];
  /** The id to go on from, when there are older ones. */
  older: string | undefined;
  isNewest: boolean;
  now: number;
}

/** Confirmed campaigns, newest first. Where the table is narrow the columns after the title and the status make room. */
export function CampaignList({ campaigns, older, isNewest, now }: CampaignListProps) {
  const columns: Column<Campaign>[] = [
    { name: names.title, cell: (campaign) => <Title campaign={campaign} /> },
    {
      name: names.state,
      className: "sm:w-28",
      card: "caption",
      cell: ({ state, hasBegun }) => <CampaignStateBadge state={state} hasBegun={hasBegun} />,
    },
    {
      name: names.sent,
      className: "sm:w-40",
      card: "caption",
      cell: ({ stats }) => <ListedStats {...stats} />,
    },
    {
      name: names.group,
      className: "text-muted-foreground sm:w-36 sm:max-md:hidden",
      card: "caption",
      cell: ({ audience }) => audience,
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
    <DataTable
      caption={copy.listTitle}
      columns={columns}
      rows={campaigns}
      empty={<EmptyList title={copy.emptyTitle} then={copy.empty} />}
      paging={{
        entries: "campaigns",
        newest: isNewest ? undefined : paths.campaigns,
        older: older === undefined ? undefined : linkTo(paths.campaigns, { before: older }),
      }}
    />
  );
}

function Title({ campaign: { id, title, waits } }: { campaign: Campaign }) {
  return (
    <>
      <Link
        to={paths.outreachCampaign(id)}
        title={title}
        className="block truncate font-medium underline-offset-4 hover:underline"
      >
        <bdi>{title}</bdi>
      </Link>
      {waits ? <span className="line-clamp-3 text-xs text-muted-foreground">{waits}</span> : null}
    </>
  );
}
