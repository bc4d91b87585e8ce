import { sql } from "kysely";
import type { VisitsTable } from "~/db/tables/accounts";
import { hours, minutes } from "~/lib/durations";
import { recordInPassing } from "~/services/record-in-passing.server";
import type { ServiceDeps } from "~/services/service-deps";

/** A visit ends this long after the last look: an operator who wrote a campaign meanwhile still finds the marks. */
const VISIT_ENDS_MS = hours(2);
/** Minimum interval between writes of one account. */
const TOUCH_MS = minutes(5);

/**
 * Remembers since when submissions are new to an operator: since the last look of their visit before this one
 * (decision 102). A look is a request for the dashboard or for a list of submissions. All tabs and devices of an
 * account are one visitor, and `newSince` stays the same during a visit.
 */
export function createVisits({ database, clock }: Pick<ServiceDeps, "database" | "clock">) {
  const find = (accountId: string) =>
    database.read.selectFrom("visits").selectAll().where("account_id", "=", accountId).executeTakeFirst();

  return {
    /**
     * Records a look, at most every five minutes, and returns since when submissions are new: epoch milliseconds, a
     * whole minute that may be up to five minutes before the last look, so that nothing is missed. Undefined during
     * the first visit. While the database takes no writes nothing is recorded; a slow write is not waited for.
     */
    async look(accountId: string): Promise<number | undefined> {
      const now = clock() - (clock() % minutes(1));
      const visit = await find(accountId);
      if (visit && Math.abs(now - visit.last_seen_at) < TOUCH_MS) return visit.new_since ?? undefined;
      const recorded = await recordInPassing(record(accountId, now));
      const newSince = recorded ?? (visit && continueVisit(visit, now));
      return newSince ?? undefined;
    },

    /** Returns the same for a page that refreshes by itself, which is no look. */
    async newSince(accountId: string): Promise<number | undefined> {
      return (await find(accountId))?.new_since ?? undefined;
    },
  };

  /** Continues the visit or begins another one; of two at the same moment, the second continues the first's. */
  async function record(accountId: string, now: number): Promise<number | null> {
    const { new_since } = await database.write((trx) =>
      trx
        .insertInto("visits")
        .values({ account_id: accountId, new_since: null, last_seen_at: now })
        .onConflict((conflict) =>
          conflict.column("account_id").doUpdateSet({
            new_since: sql<number | null>`case
              when visits.last_seen_at + ${sql.lit(VISIT_ENDS_MS)} <= ${now} then visits.last_seen_at
              else visits.new_since end`,
            last_seen_at: now,
          }),
        )
        .returning("new_since")
        .executeTakeFirstOrThrow(),
    );
    return new_since;
  }
}

function continueVisit({ last_seen_at, new_since }: VisitsTable, now: number): number | null {
  return last_seen_at + VISIT_ENDS_MS <= now ? last_seen_at : new_since;
}
