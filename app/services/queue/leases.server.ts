import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database, Write } from "~/db/database.server";
import type { SharedTime } from "~/db/shared-time.server";
import { seconds } from "~/lib/durations";
import type { Finished, JobResult, JobType } from "./job-type";

/**
 * The statements of a queue. A queue's table has the columns id, state, detail, attempts, not_before, lease_owner, lease_until
 * and updated_at, and resent_after_crash where a result can say `isResend`. A claimed job belongs to its owner until its
 * lease runs out; every statement that changes rows is safe beside other instances (hardening R22, section 5).
 */

const LEASE_MS = seconds(30);

export type Dialect = Database["dialect"];

/** Who claims. */
export interface Lessee {
  readonly dialect: Dialect;
  /** `{instance}/{boot id}`: the instance's name is stable, the boot id is new with each start. */
  readonly owner: string;
  /** By which leases begin and run out. */
  readonly leaseTime: SharedTime;
}

/** Written out, not bound: only so does SQLite use the partial indexes. */
export const IS_DUE = sql<boolean>`state in ('pending', 'retrying')`;
const IS_CLAIMED = sql<boolean>`state = 'claimed'`;

/**
 * Bound values that SQLite's planner does not look at. Where it does (a LIMIT, an equality beside an ORDER BY), the
 * statement is planned again at every run, which took as long as the claim itself.
 */
export const unseenText = (value: string) => sql<string>`cast(${value} as text)`;
const unseenNumber = (value: number) => sql<number>`cast(${value} as integer)`;

/** Claims up to `limit` jobs: in the type's order of retries and first tries, each in the order of their ids. */
export async function claimJobs<Row extends { readonly id: string; readonly not_before: number }>(
  trx: Write,
  { dialect, owner, leaseTime }: Lessee,
  { table, columns, order }: Pick<JobType<never, never, never, never>, "table" | "columns" | "order">,
  { where, limit, now }: { where: RawBuilder<boolean>; limit: number; now: number },
): Promise<Row[]> {
  // Every queue has the columns that this statement names itself, so that it may be typed as if there were one only.
  const queue = table as "deliveries";
  const rows = await trx
    // Materialized, because PostgreSQL may otherwise run the subquery, and so its limit, more than once.
    .with(
      (cte) => cte("due").materialized(),
      (db) =>
        db
          .selectFrom(queue)
          .select("id")
          .where(where)
          .orderBy("not_before", order === "first-tries-first" ? "asc" : "desc")
          .orderBy("id")
          .limit(unseenNumber(limit))
          .$if(dialect === "postgres", (query) => query.forUpdate().skipLocked()),
    )
    .updateTable(queue)
    .set({ state: "claimed", lease_owner: owner, lease_until: leaseFrom(leaseTime), updated_at: now })
    .where("id", "in", (db) => db.selectFrom("due").select("due.id"))
    .returning(columns as readonly ("id" | "not_before")[])
    .execute();
  // RETURNING has an order of its own.
  const sign = order === "first-tries-first" ? 1 : -1;
  return (rows as unknown as Row[]).sort(
    (a, b) => sign * (a.not_before - b.not_before) || (a.id < b.id ? -1 : 1),
  );
}

const leaseFrom = (time: SharedTime) => sql<number>`${time.now()} + ${LEASE_MS}`;

/**
 * Which claimed jobs have lost their owner: those whose lease ran out, and with `earlierLives` those of this instance's
 * name from before its last start, whose lease need not be waited for.
 * @param held jobs the owner has in hand, whatever their lease says.
 */
export function isOrphaned(
  { owner, leaseTime }: Lessee,
  { held, earlierLives }: { held: readonly string[]; earlierLives: boolean },
): RawBuilder<boolean> {
  const name = owner.slice(0, owner.lastIndexOf("/") + 1);
  const isEarlierLife = sql`(substr(lease_owner, 1, ${name.length}) = ${name} and lease_owner != ${owner})`;
  const isOver = isLeaseOver(leaseTime, LEASE_MS);
  const isLeft = earlierLives ? sql`(${isOver} or ${isEarlierLife})` : isOver;
  const isInHand = held.length > 0 ? sql`id in (${sql.join(held)})` : sql`1 = 0`;
  return sql<boolean>`${IS_CLAIMED} and ${isLeft} and not (${isInHand})`;
}

/** Of a row with `lease_until`. @param lasts how long a lease is, in milliseconds. */
export function isLeaseOver(time: SharedTime, lasts: number): RawBuilder<boolean> {
  const hasRunOut = sql<boolean>`lease_until < ${time.now()}`;
  return time.beginsAnew ? sql`(${hasRunOut} or lease_until > ${time.now()} + ${lasts})` : hasRunOut;
}

/** Prolongs the lease of jobs the owner still holds. */
export async function renewLeases(
  trx: Write,
  table: string,
  { owner, leaseTime }: Lessee,
  ids: readonly string[],
): Promise<void> {
  await trx
    .updateTable(table as "deliveries")
    .set({ lease_until: leaseFrom(leaseTime) })
    .where("id", "in", ids)
    .where(IS_CLAIMED)
    .where("lease_owner", "=", owner)
    .execute();
}

/**
 * Records results, many in one statement. A job that was taken from the owner meanwhile is left to its new one,
 * except that what was accepted counts as that whatever became of its row.
 */
export async function recordResults(
  trx: Write,
  table: string,
  owner: string,
  finished: readonly Finished<{ readonly id: string }, JobResult>[],
  now: number,
): Promise<void> {
  if (finished.length === 0) return;
  const values = finished.map(
    ({ row, result }) =>
      sql`(${row.id}, ${result.state}, ${result.detail}, ${result.attempts}, ${result.notBefore})`,
  );
  // column1 and so on are the names both databases give to the columns of VALUES.
  await sql`
    update ${sql.table(table)}
    set state = result.column2, detail = result.column3, attempts = cast(result.column4 as integer),
      not_before = cast(result.column5 as bigint), lease_owner = '', lease_until = 0, updated_at = ${now}
    from (values ${sql.join(values)}) as result
    where id = result.column1
      and ((state = 'claimed' and lease_owner = ${owner}) or result.column2 in ('sent', 'accepted'))
  `.execute(trx);
}

/** Notes, before their results are recorded, that jobs are delivered again because of a crash. */
export async function markResent(
  trx: Write,
  table: string,
  owner: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable(table as "deliveries")
    .set({ resent_after_crash: 1 })
    .where("id", "in", ids)
    .where(IS_CLAIMED)
    .where("lease_owner", "=", owner)
    .execute();
}
