import type { Database } from "~/db/database.server";
import { hasRows } from "~/db/rows";
import { listPresent, sumVisitsBySource } from "./by-source.server";

/** How far visitors and people came. All but `visits` count people. */
export interface FunnelCounts {
  /** Pages opened from elsewhere in the span: not people, and not always those who signed up. */
  readonly visits: number;
  /** People whose first accepted form is of the span. The others are how many of them came so far by now. */
  readonly signups: number;
  readonly confirmed: number;
  /** Invited and reachable: without those whose invitation came back. */
  readonly invited: number;
  /** Joined by an invitation. */
  readonly joined: number;
  /** Joined without one. */
  readonly uninvited: number;
}

export interface SourceFunnel extends FunnelCounts {
  readonly source: string;
}

const NOTHING: FunnelCounts = { visits: 0, signups: 0, confirmed: 0, invited: 0, joined: 0, uninvited: 0 };

/** Tells how far those who came got, from counts by UTC day and source: triggers keep those of people, the server counts visits. */
export function createFunnel(deps: {
  readonly database: Pick<Database, "read">;
  /** Whether people can be invited (INVITE_URL). */
  readonly isInviting: boolean;
}) {
  const { read } = deps.database;
  return {
    /** Checks whether people can be invited, or somebody ever was, or joined. */
    hasInvitations: async () => deps.isInviting || (await hasRows(read.selectFrom("wave_invitations"))),

    /**
     * Lists the funnel of each source over the UTC days from this one on: most signups first, then most visits.
     * @param options.from first millisecond of the day; 0: all days.
     */
    async list({ from }: { readonly from: number }): Promise<SourceFunnel[]> {
      const [visits, people] = await Promise.all([
        sumVisitsBySource(read, from),
        read
          .selectFrom("funnel_counts")
          .select(({ fn }) => [
            "source",
            fn.sum("signups").as("signups"),
            fn.sum("confirmed").as("confirmed"),
            fn.sum("invited").as("invited"),
            fn.sum("joined").as("joined"),
            fn.sum("uninvited").as("uninvited"),
          ])
          .where("day", ">=", from)
          .groupBy("source")
          .execute(),
      ]);
      const bySource = new Map<string, SourceFunnel>();
      for (const [source, count] of visits) bySource.set(source, { ...NOTHING, source, visits: count });
      for (const { source, ...counts } of people) {
        bySource.set(source, {
          source,
          visits: visits.get(source) ?? 0,
          signups: Number(counts.signups),
          confirmed: Number(counts.confirmed),
          invited: Number(counts.invited),
          joined: Number(counts.joined),
          uninvited: Number(counts.uninvited),
        });
      }
      return listPresent([...bySource.values()]);
    },
  };
}

/** Adds up the funnels of sources. */
export function sumFunnels(funnels: readonly FunnelCounts[]): FunnelCounts {
  return funnels.reduce(
    (sum, each) => ({
      visits: sum.visits + each.visits,
      signups: sum.signups + each.signups,
      confirmed: sum.confirmed + each.confirmed,
      invited: sum.invited + each.invited,
      joined: sum.joined + each.joined,
      uninvited: sum.uninvited + each.uninvited,
    }),
    NOTHING,
  );
}
