import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { limitSource } from "~/lib/source";
import type { VisitCount, VisitCounts } from "~/lib/visit-counts";

const STORE_EVERY_MS = minutes(1);

interface Deps {
  readonly database: Database;
  readonly counts: VisitCounts;
  readonly log: { warn(details: object, message: string): void };
}

/**
 * Stores the guard's counts of visits each minute, and when it stops; a crash loses a minute of them. Several instances
 * add to the same rows. What cannot be stored is added to the next minute.
 */
export class LandingVisitsStore {
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => void this.store(), STORE_EVERY_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.store();
  }

  /** Stores what was counted since the last time. Never rejects. */
  async store(): Promise<void> {
    const { database, counts, log } = this.#deps;
    const taken = counts.take();
    if (taken.length === 0) return;
    try {
      await addLandingVisits(database, taken);
    } catch (err) {
      counts.putBack(taken);
      log.warn({ err }, "visits could not be stored, and are stored a minute later");
    }
  }
}

/**
 * Adds visits to those of their days. A day has 200 sources over all instances, besides the fixed ones; the rest is "other".
 * Instances that store at the same moment may exceed that.
 */
export function addLandingVisits(database: Database, visits: readonly VisitCount[]): Promise<void> {
  return database.write(async (trx) => {
    // In one order, here and below, so that instances do not wait for each other in a circle.
    const days = [...Map.groupBy(visits, (visit) => visit.day)].sort(([a], [b]) => a - b);
    for (const [day, some] of days) {
      const rows = await trx.selectFrom("landing_visits").select("source").where("day", "=", day).execute();
      const known = new Set(rows.map(({ source }) => source));
      const counts = new Map<string, number>();
      for (const { source, count } of some) {
        const counted = limitSource(source, known);
        known.add(counted);
        counts.set(counted, (counts.get(counted) ?? 0) + count);
      }
      const bySource = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
      await trx
        .insertInto("landing_visits")
        .values(bySource.map(([source, count]) => ({ day, source, count })))
        .onConflict((conflict) =>
          conflict.columns(["day", "source"]).doUpdateSet({
            count: sql`landing_visits.count + excluded.count`,
          }),
        )
        .execute();
    }
  });
}
