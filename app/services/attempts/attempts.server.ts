import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { prepareQuery } from "~/db/prepared-query";
import type { Clock } from "~/services/service-deps";
import { sweepRows } from "~/services/sweep-in-chunks.server";

interface Limit {
  /** Attempts allowed in one window. */
  readonly allowed: number;
  readonly windowMs: number;
}

export type Attempt =
  | { ok: true }
  /** `isFirst`: this attempt is the first one that the limit refuses in its window. */
  | { ok: false; retryAfterSeconds: number; isFirst: boolean };

/**
 * Counts attempts per key in fixed windows, in the product's own database, so that all instances share the
 * counts and a crash loses none (hardening C3, C27). Attempts are counted before the work, so that parallel
 * ones cannot pass together, and key by key until one refuses: with the network's key first, one network adds
 * no more rows than its own limit allows, whatever addresses it makes up (hardening R36).
 * @param limits limits by key, in the order in which they count.
 */
export async function consume(
  trx: Write,
  limits: Readonly<Record<string, Limit>>,
  now: number,
): Promise<Attempt> {
  for (const [key, { allowed, windowMs }] of Object.entries(limits)) {
    const [counted] = await countAttempt(trx, { key, now, end: now + windowMs });
    if (!counted) throw new Error("An attempt was not counted");
    const { count, resets_at } = counted;
    if (count <= allowed) continue;
    const retryAfterSeconds = Math.max(1, Math.ceil((resets_at - now) / 1000));
    return { ok: false, retryAfterSeconds, isFirst: count === allowed + 1 };
  }
  return { ok: true };
}

const countAttempt = prepareQuery((db, { key, now, end }: { key: string; now: number; end: number }) => {
  const isExpired = sql<boolean>`attempts.resets_at <= ${now}`;
  // The stored window ends later than any can: the clock was set back. Its count holds for one window from now
  // at most (R18).
  const isTooLate = sql<boolean>`attempts.resets_at > excluded.resets_at`;
  return db
    .insertInto("attempts")
    .values({ key, count: 1, resets_at: end })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql`case when ${isExpired} then 1 else attempts.count + 1 end`,
        resets_at: sql`case when ${isExpired} or ${isTooLate} then excluded.resets_at else attempts.resets_at end`,
      }),
    )
    .returning(["count", "resets_at"]);
});

/** Refunds one attempt that turned out not to be subject to the limit. */
export async function refund(trx: Write, key: string): Promise<void> {
  await trx
    .updateTable("attempts")
    .set({ count: sql`count - 1` })
    .where("key", "=", key)
    .where("count", ">", 0)
    .execute();
}

/** Clears the attempts of a key, for example after a successful login. */
export async function clearAttempts(trx: Write, key: string): Promise<void> {
  await trx.deleteFrom("attempts").where("key", "=", key).execute();
}

/** Removes counters whose windows have ended. */
export function sweepAttempts(database: Database, clock: Clock): Promise<void> {
  return sweepRows(database, { table: "attempts", key: "key" }, sql<boolean>`resets_at < ${clock()}`);
}
