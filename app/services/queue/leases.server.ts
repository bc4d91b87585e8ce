import { sql, type RawBuilder } from "kysely";
import type { Write } from "~/db/database.server";
import { isPostgres } from "~/db/run-statements";
import type { SharedTime } from "~/db/shared-time.server";
import { seconds } from "~/lib/durations";
import type { ClaimedJob, Finished, JobResult, JobType } from "./job-type";

/**
 * SQL statements of a queue. Its table has the columns id, state, detail, attempts, not_before, lease_owner,
 * lease_until and updated_at, and resent_after_crash where a result can have `isResend`. A claimed job belongs
 * to its owner until its lease expires; every statement that changes rows is safe beside other instances
 * (hardening R22, section 5).
 */

const LEASE_MS = seconds(30);
/** Interval at which a living process renews its leases. */
export const LEASE_RENEWAL_INTERVAL_MS = seconds(1);
/** An earlier process of the same name is gone when it renewed no lease for so long: three renewals and more. */
const SILENCE_MS = seconds(4);
/** For so long after its start a process takes jobs of silent earlier ones of its name before their leases expire. */
export const START_MS = seconds(10);

/** The instance that claims. */
export interface Lessee {
  /**
   * `{instance}/{boot id}`: the instance's name is stable, the boot id is new with each start. Two living processes
   * may have one name, by mistake.
   */
  readonly owner: string;
  /** Clock that leases start and expire by. */
  readonly leaseTime: SharedTime;
}

/** Literal, not bound: SQLite uses the partial indexes only then. */
export const IS_DUE = sql<boolean>`state in ('pending', 'retrying')`;
/** Matches due deliveries of campaigns that were attempted before: until then not_before is 0. */
export const IS_RETRY = sql<boolean>`not_before > 0`;
const IS_CLAIMED = sql<boolean>`state = 'claimed'`;

/** Matches jobs that may be claimed now. */
export const isDueAt = (now: number) => sql<boolean>`${IS_DUE} and not_before <= ${now}`;

/**
 * Hides a bound value from SQLite's planner. Where the planner reads one (a LIMIT, an equality beside an ORDER
 * BY), it plans the statement again at every run, which takes as long as the claim itself.
 */
export const opaqueText = (value: string) => sql<string>`cast(${value} as text)`;
const opaqueNumber = (value: number) => sql<number>`cast(${value} as integer)`;

/** Claims up to `limit` jobs and leases them to the lessee, in the type's claim order and then by id. */
export async function claimJobs<Row extends { readonly id: string; readonly not_before: number }>(
  trx: Write,
  { owner, leaseTime }: Lessee,
  { table, computed, order }: Pick<JobType<never, never, never, never>, "table" | "computed" | "order">,
  { where, limit, now }: { where: RawBuilder<boolean>; limit: number; now: number },
): Promise<Row[]> {
  // A job that was not attempted yet has the lowest not_before, a retry the time that it waits for.
  const direction = sql.raw(order === "first-tries-first" ? "asc" : "desc");
  const lock = isPostgres(trx) ? sql`for update skip locked` : sql``;
  const returned = computed ? sql`*, ${computed}` : sql`*`;
  // Materialized, because PostgreSQL may otherwise run the subquery, and so its limit, more than once.
  const { rows } = await sql<Row>`
    with due as materialized (
      select id from ${sql.table(table)} where ${where}
      order by not_before ${direction}, id limit ${opaqueNumber(limit)} ${lock}
    )
    update ${sql.table(table)}
    set state = 'claimed', lease_owner = ${owner}, lease_until = ${getLeaseEnd(leaseTime)}, updated_at = ${now}
    where id in (select id from due)
    returning ${returned}
  `.execute(trx);
  // RETURNING has no defined order.
  const sign = order === "first-tries-first" ? 1 : -1;
  return rows.sort((a, b) => sign * (a.not_before - b.not_before) || (a.id < b.id ? -1 : 1));
}

/** Returns when a lease that is taken or renewed now ends. */
export const getLeaseEnd = (time: SharedTime) => sql<number>`${time.now()} + ${LEASE_MS}`;

/**
 * Matches claimed jobs whose owner is gone.
 * @param held jobs the lessee holds, which never match.
 * @param isStarting see isLeaseOver.
 */
export function isOrphaned(
  lessee: Lessee,
  { held, isStarting }: { held: readonly string[]; isStarting: boolean },
): RawBuilder<boolean> {
  const isHeld = held.length > 0 ? sql`id in (${sql.join(held)})` : sql`1 = 0`;
  const isOver = isLeaseOver(lessee, { durationMs: LEASE_MS, isStarting });
  return sql<boolean>`${IS_CLAIMED} and ${isOver} and not (${isHeld})`;
}

/**
 * Matches rows whose lease expired. With `isStarting` also those leased by another process of the lessee's name that
 * has not renewed them for some seconds: a living one renews every second (hardening R40). Only at the start, because
 * an unreachable database keeps the living from renewing too.
 */
export function isLeaseOver(
  { owner, leaseTime }: Lessee,
  { durationMs, isStarting }: { durationMs: number; isStarting: boolean },
): RawBuilder<boolean> {
  const isExpired = isLeaseExpired(leaseTime, durationMs);
  if (!isStarting) return isExpired;
  const name = owner.slice(0, owner.lastIndexOf("/") + 1);
  const isNamesake = sql`substr(lease_owner, 1, ${name.length}) = ${name} and lease_owner != ${owner}`;
  const isSilent = sql`lease_until < ${leaseTime.now()} + ${durationMs - SILENCE_MS}`;
  return sql<boolean>`(${isExpired} or (${isNamesake} and ${isSilent}))`;
}

/** Matches rows whose `lease_until` is over. @param durationMs length of a lease. */
function isLeaseExpired(time: SharedTime, durationMs: number): RawBuilder<boolean> {
  const isExpired = sql<boolean>`lease_until < ${time.now()}`;
  return time.restartsWithMachine
    ? sql`(${isExpired} or lease_until > ${time.now()} + ${durationMs})`
    : isExpired;
}

/** Changes jobs the owner still holds: renews their leases, or marks them as delivered again because of a crash. */
export async function updateHeldJobs(
  trx: Write,
  table: string,
  owner: string,
  ids: readonly string[],
  changes: { lease_until: RawBuilder<number> } | { resent_after_crash: 1 },
): Promise<void> {
  await trx
    .updateTable(table as "deliveries")
    .set(changes)
    .where("id", "in", ids)
    .where(IS_CLAIMED)
    .where("lease_owner", "=", owner)
    .execute();
}

/**
 * Records results in one statement. A job that another owner took over meanwhile is left to it, except that an
 * accepted result is always recorded.
 */
export async function recordResults(
  trx: Write,
  table: string,
  owner: string,
  finished: readonly Finished<ClaimedJob, JobResult>[],
  now: number,
): Promise<void> {
  if (finished.length === 0) return;
  const values = finished.map(({ row, result }) => {
    const attempts = row.attempts + (result.isUntried ? 0 : 1);
    const notBefore = result.notBefore ?? row.not_before;
    return sql`(${row.id}, ${result.state}, ${result.detail}, ${attempts}, ${notBefore})`;
  });
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
