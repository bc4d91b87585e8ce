import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import { isListed } from "~/services/people/people-match.server";
import type { FunnelCounts } from "~/services/sources/funnel.server";

/** How far the people of a wave came by now, as in the funnel of all who signed up. */
export interface WaveFunnelCounts extends Pick<FunnelCounts, "confirmed" | "invited" | "joined"> {
  /** Who has an invitation of this wave, in any state, and an accepted form. */
  readonly people: number;
}

export interface WaveSourceFunnel extends WaveFunnelCounts {
  readonly source: string;
}

/**
 * Lists the funnel of each source that people of a wave came from, most people first. It reads each of them, which takes
 * up to half a second at 100,000: not for a page that refreshes itself each second.
 */
export async function listWaveFunnel(
  { longRead }: Pick<Database, "longRead">,
  campaignId: string,
): Promise<WaveSourceFunnel[]> {
  const rows = await longRead
    .selectFrom("wave_invitations")
    .innerJoin("people", "people.id", "wave_invitations.person_id")
    .select(({ fn }) => [
      "people.source",
      fn.countAll().as("people"),
      fn.count("people.confirmed_at").as("confirmed"),
      fn.sum(sql`case when wave_invitations.state in ('invited', 'joined') then 1 else 0 end`).as("invited"),
      fn.sum(sql`case when wave_invitations.state = 'joined' then 1 else 0 end`).as("joined"),
    ])
    .where("wave_invitations.campaign_id", "=", campaignId)
    .where(isListed({}, { hidden: true }))
    .groupBy("people.source")
    .execute();
  return rows
    .map(({ source, people, confirmed, invited, joined }) => ({
      source,
      people: Number(people),
      confirmed: Number(confirmed),
      invited: Number(invited),
      joined: Number(joined),
    }))
    .sort((a, b) => b.people - a.people || (a.source < b.source ? -1 : 1));
}

/** Adds up the funnels of a wave's sources. */
export function sumWaveFunnels(funnels: readonly WaveFunnelCounts[]): WaveFunnelCounts {
  return funnels.reduce(
    (sum, each) => ({
      people: sum.people + each.people,
      confirmed: sum.confirmed + each.confirmed,
      invited: sum.invited + each.invited,
      joined: sum.joined + each.joined,
    }),
    { people: 0, confirmed: 0, invited: 0, joined: 0 },
  );
}
