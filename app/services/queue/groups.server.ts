import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { ClaimRequest } from "./job-type";
import { IS_DUE, isDueAt, opaqueText } from "./leases.server";

/** Jobs of a cancelled group skipped per write. */
const SKIP_BATCH_SIZE = 1000;

/** Jobs that are created together and share a state: a campaign or a broadcast. */
interface JobGroup {
  readonly id: string;
  /** "preparing": its jobs are being created. "cancelled": its waiting jobs are skipped. */
  readonly state: string;
}

/** The jobs of one group in a queue's table. */
interface GroupJobs {
  readonly table: string;
  /** Column that holds the group's id. */
  readonly column: string;
  readonly id: string;
}

/**
 * Claims due jobs from the groups round robin, starting after `servedLast`, so that none starves.
 * @param column column that holds the group's id.
 * @param finishIfSettled called for a group without a due job.
 */
export async function claimRoundRobin<Row>(
  groups: readonly JobGroup[],
  { column, servedLast }: { column: string; servedLast: string },
  { claimJobs, limit, now }: ClaimRequest<Row>,
  finishIfSettled: (groupId: string) => Promise<void>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const ordered = [
    ...groups.filter(({ id }) => id > servedLast),
    ...groups.filter(({ id }) => id <= servedLast),
  ];
  for (const { id } of ordered) {
    if (rows.length >= limit) break;
    const where = sql<boolean>`${sql.ref(column)} = ${opaqueText(id)} and ${isDueAt(now)}`;
    const claimed = await claimJobs(where, limit - rows.length);
    if (claimed.length === 0) await finishIfSettled(id);
    rows.push(...claimed);
  }
  return rows;
}

/**
 * Creates the next jobs of preparing groups and skips those of cancelled ones.
 * @returns whether there is more work.
 */
export async function advanceGroups<Group extends JobGroup>(
  groups: readonly Group[],
  steps: {
    readonly snapshotAudience: (group: Group) => Promise<void>;
    readonly skipRemaining: (group: Group) => Promise<boolean>;
  },
): Promise<boolean> {
  let hasMore = false;
  for (const group of groups) {
    if (group.state === "preparing") {
      await steps.snapshotAudience(group);
      hasMore = true;
    } else if (group.state === "cancelled" && (await steps.skipRemaining(group))) {
      hasMore = true;
    }
  }
  return hasMore;
}

/** Skips the next waiting jobs of a group; those in flight finish. @returns whether it skipped any. */
export async function skipWaitingJobs(
  trx: Write,
  { table, column, id }: GroupJobs,
  { detail, now }: { detail: string; now: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set state = 'skipped', detail = ${detail}, updated_at = ${now}
    where id in (
      select id from ${sql.table(table)} where ${sql.ref(column)} = ${id} and ${IS_DUE} limit ${SKIP_BATCH_SIZE}
    )
  `.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Checks whether jobs of a group are waiting or in flight. Uncertain ones wait for an operator and do not count. */
export async function hasOpenJobs(read: Read, { table, column, id }: GroupJobs): Promise<boolean> {
  const { rows } = await sql`
    select id from ${sql.table(table)}
    where ${sql.ref(column)} = ${id} and state in ('pending', 'claimed', 'retrying') limit 1
  `.execute(read);
  return rows.length > 0;
}

/** The state of a campaign or broadcast that is neither paused nor over. */
export function getMovingState(group: {
  readonly prepared_through: string;
  readonly audience_through: string;
}): "preparing" | "sending" {
  return group.prepared_through === group.audience_through ? "sending" : "preparing";
}
