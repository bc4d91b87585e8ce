import { sql } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { Clock } from "~/services/clock";

export interface Limit {
  /** How many attempts one window allows. */
  readonly allowed: number;
  readonly windowMs: number;
}

export type Attempt =
  | { ok: true }
  /** `isFirst`: a limit was reached just now; what follows in its window is more of the same. */
  | { ok: false; retryAfterSeconds: number; isFirst: boolean };

/**
 * Counts attempts per key in fixed windows, in the product's own database: shared by all instances, and a crash forgets
 * nothing (hardening C3, C27). The count is taken before the work, so that parallel tries cannot pass together, and for
 * every key, also when one of them refuses.
 * @param limits key to limit; the longest wait of those that refuse is the answer.
 */
export async function takeAttempt(
  trx: Write,
  limits: Readonly<Record<string, Limit>>,
  now: number,
): Promise<Attempt> {
  // A window that is over, or that ends later than any can (the clock was set back), starts anew.
  const over = sql<boolean>`(attempts.resets_at <= ${now} or attempts.resets_at > excluded.resets_at)`;
  const rows = await trx
    .insertInto("attempts")
    .values(
      Object.entries(limits).map(([key, { windowMs }]) => ({ key, count: 1, resets_at: now + windowMs })),
    )
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql`case when ${over} then 1 else attempts.count + 1 end`,
        resets_at: sql`case when ${over} then excluded.resets_at else attempts.resets_at end`,
      }),
    )
    .returning(["key", "count", "resets_at"])
    .execute();
  const refusing = rows.filter((row) => row.count > (limits[row.key]?.allowed ?? 0));
  if (refusing.length === 0) return { ok: true };
  const resetsAt = Math.max(...refusing.map((row) => row.resets_at));
  const isFirst = refusing.some((row) => row.count === (limits[row.key]?.allowed ?? 0) + 1);
  return { ok: false, retryAfterSeconds: Math.max(1, Math.ceil((resetsAt - now) / 1000)), isFirst };
}

/** Takes one attempt back: it turned out to be none of those that are limited. */
export async function giveBackAttempt(trx: Write, key: string): Promise<void> {
  await trx
    .updateTable("attempts")
    .set({ count: sql`count - 1` })
    .where("key", "=", key)
    .where("count", ">", 0)
    .execute();
}

/** Forgets a key's attempts, as after a login that succeeded. */
export async function forgetAttempts(trx: Write, key: string): Promise<void> {
  await trx.deleteFrom("attempts").where("key", "=", key).execute();
}

/** Removes counters nobody needs any more. */
export async function sweepAttempts(database: Database, clock: Clock): Promise<void> {
  await database.write((trx) => trx.deleteFrom("attempts").where("resets_at", "<", clock()).execute());
}
