import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import { getNetworks } from "~/lib/network-address";
import type { Clock } from "~/services/service-deps";
import { sweepRows } from "~/services/sweep-in-chunks.server";

export interface Limit {
  /** Attempts allowed in one window. */
  readonly allowed: number;
  readonly windowMs: number;
  /**
   * Set for a network that contains another one of the same attempt: where it is used up, it refuses before the
   * smaller one is counted, so that nobody with many networks adds a row for each.
   */
  readonly isOfLargerNetwork?: boolean;
}

/**
 * Creates the limits of an address by its networks, smallest first: an IPv6 address counts for its /64, and with
 * higher numbers for its /56 and /48 (hardening C49).
 * @param prefix what is limited. @param suffix of the keys: what an attempt is for.
 */
export function getNetworkLimits(
  prefix: string,
  address: string,
  limit: Limit,
  suffix = "",
): Record<string, Limit> {
  const limits = getNetworks(address).map(({ key, share }) => {
    const own = { ...limit, allowed: limit.allowed * share };
    return [`${prefix}:${key}${suffix}`, share > 1 ? { ...own, isOfLargerNetwork: true } : own] as const;
  });
  return Object.fromEntries(limits);
}

export type Attempt =
  | { ok: true }
  /** `isFirst`: this attempt is the first one that the limit refuses in its window. */
  | { ok: false; retryAfterSeconds: number; isFirst: boolean };

/**
 * Counts attempts per key in fixed windows, in the product's own database, so that all instances share the
 * counts and a crash loses none (hardening C3, C27). Attempts are counted before the work, so that parallel
 * ones cannot pass together, and key by key until one refuses: with the network's keys first, one network adds
 * no more rows than its own limit allows, whatever addresses it makes up (hardening R36).
 * @param limits limits by key, in the order in which they count.
 */
export async function consume(
  trx: Write,
  limits: Readonly<Record<string, Limit>>,
  now: number,
): Promise<Attempt> {
  const usedUp = await findUsedUp(trx, limits, now);
  const counting = usedUp === undefined ? limits : { [usedUp.key]: usedUp.limit };
  for (const [key, { allowed, windowMs }] of Object.entries(counting)) {
    const { count, resets_at } = await countAttempt(trx, { key, now, end: now + windowMs });
    if (count <= allowed) continue;
    const retryAfterSeconds = Math.max(1, Math.ceil((resets_at - now) / 1000));
    return { ok: false, retryAfterSeconds, isFirst: count === allowed + 1 };
  }
  return { ok: true };
}

/** Finds the limit of a larger network that allows no more attempts. */
async function findUsedUp(trx: Write, limits: Readonly<Record<string, Limit>>, now: number) {
  const larger = Object.keys(limits).filter((key) => limits[key]?.isOfLargerNetwork);
  if (larger.length === 0) return undefined;
  const rows = await trx
    .selectFrom("attempts")
    .select(["key", "count"])
    .where("key", "in", larger)
    .where("resets_at", ">", now)
    .execute();
  for (const { key, count } of rows) {
    const limit = limits[key];
    if (limit && count >= limit.allowed) return { key, limit };
  }
  return undefined;
}

/** Counts an attempt. @param end when its window ends, if it is the first. */
function countAttempt(trx: Write, { key, now, end }: { key: string; now: number; end: number }) {
  const isExpired = sql<boolean>`attempts.resets_at <= ${now}`;
  // The stored window ends later than any can: the clock was set back. Its count holds for one window from now
  // at most (R18).
  const isTooLate = sql<boolean>`attempts.resets_at > excluded.resets_at`;
  return trx
    .insertInto("attempts")
    .values({ key, count: 1, resets_at: end })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql`case when ${isExpired} then 1 else attempts.count + 1 end`,
        resets_at: sql`case when ${isExpired} or ${isTooLate} then excluded.resets_at else attempts.resets_at end`,
      }),
    )
    .returning(["count", "resets_at"])
    .executeTakeFirstOrThrow();
}

/** Refunds one attempt that turned out not to be subject to the limit. */
export async function refund(trx: Write, key: string): Promise<void> {
  await trx
    .updateTable("attempts")
    .set({ count: sql`count - 1` })
    .where("key", "=", key)
    .where("count", ">", 0)
    .execute();
}

/** Refunds one attempt of each of these keys, in the order in which they counted, so that no two writes deadlock. */
export async function refundAll(trx: Write, keys: readonly string[]): Promise<void> {
  for (const key of keys) await refund(trx, key);
}

/** Clears the attempts of a key, for example after a successful login. */
export async function clearAttempts(trx: Write, key: string): Promise<void> {
  await trx.deleteFrom("attempts").where("key", "=", key).execute();
}

/** Removes counters whose windows have ended. */
export function sweepAttempts(database: Database, clock: Clock): Promise<void> {
  return sweepRows(database, { table: "attempts", key: "key" }, sql<boolean>`resets_at < ${clock()}`);
}
