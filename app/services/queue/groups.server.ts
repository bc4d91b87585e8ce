import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import { IS_DUE } from "./leases.server";

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

/** Claims from the groups round robin, starting after `servedLast`, so that none starves. */
export async function claimRoundRobin<Group extends JobGroup, Row>(
  groups: readonly Group[],
  { servedLast, limit }: { servedLast: string; limit: number },
  claim: (group: Group, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const ordered = [
    ...groups.filter(({ id }) => id > servedLast),
    ...groups.filter(({ id }) => id <= servedLast),
  ];
  for (const group of ordered) {
    if (rows.length >= limit) break;
    rows.push(...(await claim(group, limit - rows.length)));
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
