import { CampaignStateBadge } from "~/components/state-badge";
import { Link } from "~/components/link";
import { campaignsMessages } from "~/content/campaigns";
import { campaignStatusMessages as copy } from "~/content/outreach";
import { paths } from "~/paths";
import type { OutreachView } from "./outreach-view.server";

/** Lists the latest campaigns, each with its status and a link: below the form, or beside it on wide screens. */
export function RecentCampaigns({ campaigns }: { campaigns: OutreachView["recent"] }) {
  return (
    <section
      id="latest-campaigns"
      aria-label={copy.recentTitle}
      className="scroll-mt-16 border-t p-4 xl:border-t-0 xl:border-l"
    >
      <h3 className="text-xs font-medium text-muted-foreground">{copy.recentTitle}</h3>
      {campaigns.length === 0 ? <p className="mt-2 text-muted-foreground">{copy.noCampaigns}</p> : null}
      <ul className="campaign-lines">
        {campaigns.map((campaign) => (
          <li key={campaign.id}>
            <CampaignStateBadge state={campaign.state} hasBegun={campaign.hasBegun} />
            <Link to={paths.outreachCampaign(campaign.id)}>
              <bdi>{campaign.title}</bdi>
            </Link>
            <small>{campaign.audience}</small>
          </li>
        ))}
      </ul>
      <Link
        to={paths.campaigns}
        className="mt-2 inline-block text-primary underline-offset-4 hover:underline"
      >
        {campaignsMessages.seeAll}
      </Link>
    </section>
  );
}
