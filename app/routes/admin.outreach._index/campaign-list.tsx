import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { EmptyList } from "~/components/empty-list";
import { ListedStats } from "~/components/listed-stats";
import { PageLinks } from "~/components/page-links";
import { CampaignStateBadge } from "~/components/campaign-state-badge";
import { Timestamp } from "~/components/timestamp";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { ListedCampaign, ListedStats as Stats } from "~/services/outreach/campaign-stats.server";

const copy = operatorMessages.sends;
const { columns } = copy;

interface CampaignListProps {
  campaigns: (ListedCampaign & { stats: Stats; waits: string | undefined })[];
  /** The id to go on from, when there are older ones. */
  older: string | undefined;
  isNewest: boolean;
  now: number;
}

/** Confirmed campaigns, newest first. On small screens the columns after the title and the state make room. */
export function CampaignList({ campaigns, older, isNewest, now }: CampaignListProps) {
  if (campaigns.length === 0) return <EmptyList title={copy.emptyTitle} then={copy.empty} />;
  return (
    <section aria-label={copy.listTitle} className="rounded-lg border bg-surface">
      <table className="w-full table-fixed text-left">
        <caption className="sr-only">{copy.listTitle}</caption>
        <thead>
          <tr className="border-b bg-muted/60 text-2xs text-muted-foreground">
            <Head>{columns.title}</Head>
            <Head className="w-28">{columns.state}</Head>
            <Head className="hidden w-40 sm:table-cell">{columns.sent}</Head>
            <Head className="hidden w-36 md:table-cell">{columns.group}</Head>
            <Head className="hidden w-56 xl:table-cell">{columns.by}</Head>
            <Head className="hidden w-49 lg:table-cell xl:w-79">{columns.at}</Head>
          </tr>
        </thead>
        <tbody className="divide-y">
          {campaigns.map((campaign) => (
            <tr key={campaign.id} className="h-9 hover:bg-muted/60">
              <td className="px-4 py-1.5">
                <Link
                  to={paths.outreachCampaign(campaign.id)}
                  title={campaign.title}
                  className="block truncate font-medium underline-offset-4 hover:underline"
                >
                  <bdi>{campaign.title}</bdi>
                </Link>
                {/* There is no column for them on small screens. */}
                <ListedStats {...campaign.stats} className="text-xs text-muted-foreground sm:hidden" />
                {campaign.waits ? (
                  <span className="line-clamp-3 text-xs break-words text-muted-foreground">
                    {campaign.waits}
                  </span>
                ) : null}
              </td>
              <td className="px-4">
                <CampaignStateBadge state={campaign.state} hasBegun={campaign.hasBegun} />
              </td>
              <td className="hidden px-4 sm:table-cell">
                <ListedStats {...campaign.stats} />
              </td>
              <td className="hidden px-4 text-muted-foreground md:table-cell">{campaign.audience}</td>
              <td className="hidden truncate px-4 text-muted-foreground xl:table-cell">
                <bdi title={campaign.created_by}>{campaign.created_by}</bdi>
              </td>
              <td className="hidden px-4 lg:table-cell">
                <Timestamp at={campaign.confirmed_at ?? 0} now={now} exact />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <PageLinks
        title={copy.listTitle}
        entries="campaigns"
        newest={isNewest ? undefined : paths.campaigns}
        older={
          older === undefined ? undefined : `${paths.campaigns}?${new URLSearchParams({ before: older })}`
        }
        className="border-t px-4 py-2.5"
      />
    </section>
  );
}

function Head({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={cn("h-9 px-4 font-medium", className)}>
      {children}
    </th>
  );
}
