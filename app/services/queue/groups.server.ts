import { sql } from "kysely";
import type { Read, Write } from "~/db/database.server";
import type { ClaimRequest } from "./job-type";
import { IS_DUE, IS_RETRY, isDueAt, opaqueText } from "./leases.server";

/** Jobs of a cancelled group skipped per write. */
const SKIP_BATCH_SIZE = 1000;

/** Jobs that are created together and share a state: a campaign or a broadcast. */
interface JobGroup {
  readonly id: string;
  /** "preparing": its jobs are being created. "cancelled": its waiting jobs are skipped. */
  readonly state: string;
  /** Epoch milliseconds. Its content never changes while this stays the same. */
  readonly confirmed_at: number | null;
  /** How many of its jobs may be attempted for the first time now; left out: without limit. */
  readonly allowed?: number;
}

/** The jobs of one group in a queue's table. */
interface GroupJobs {
  readonly table: string;
  /** Column that holds the group's id. */
  readonly column: string;
  readonly id: string;
}

/**
 * Creates the claims of a queue whose jobs belong to groups, and keeps the content that the jobs of a group share, until
 * the group is confirmed again.
 * @param column column that holds the group's id.
 * @param loadContents returns contents by group id.
 */
export function createGroupClaims<Column extends string, Content>(
  column: Column,
  loadContents: (read: Read, ids: readonly string[]) => Promise<Map<string, Content>>,
) {
  let servedLast = "";
  /** The contents of the groups that were served last, as they were confirmed. */
  let loaded = new Map<string, Pick<JobGroup, "confirmed_at"> & { readonly content: Content | undefined }>();

  return {
    /**
     * Claims due jobs from the groups round robin, starting after the last one served, so that none starves.
     * @param finishIfSettled called for a group of which nothing was claimed; jobs of it may still be open.
     */
    async claim<Row extends Readonly<Record<Column, string>>>(
      trx: Write,
      groups: readonly JobGroup[],
      { claimJobs, limit, now }: ClaimRequest<Row>,
      finishIfSettled: (trx: Write, groupId: string, now: number) => Promise<void>,
    ): Promise<Row[]> {
      const rows: Row[] = [];
      const served: JobGroup[] = [];
      const ordered = [
        ...groups.filter(({ id }) => id > servedLast),
        ...groups.filter(({ id }) => id <= servedLast),
      ];
      for (const group of ordered) {
        if (rows.length >= limit) break;
        const { id, allowed = Infinity } = group;
        const left = limit - rows.length;
        const where = sql<boolean>`${sql.ref(column)} = ${opaqueText(id)} and ${isDueAt(now)}`;
        const claimed =
          allowed > 0
            ? await claimJobs(where, Math.min(left, allowed))
            : await claimJobs(sql<boolean>`${where} and ${IS_RETRY}`, left);
        if (claimed.length === 0) await finishIfSettled(trx, id, now);
        else served.push(group);
        rows.push(...claimed);
      }
      servedLast = served.at(-1)?.id ?? servedLast;
      // One whose claim was rolled back may have been edited since.
      if (!served.every(({ id, confirmed_at }) => loaded.get(id)?.confirmed_at === confirmed_at)) {
        const ids = served.map(({ id }) => id);
        const contents = await loadContents(trx, ids);
        loaded = new Map(
          served.map(({ id, confirmed_at }) => [id, { confirmed_at, content: contents.get(id) }]),
        );
      }
      return rows;
    },

    /** Returns the content of the group of a claimed job. */
    getContent: (groupId: string): Content | undefined => loaded.get(groupId)?.content,
  };
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
    -- Again: PostgreSQL checks this, and not the subquery, once it has waited for another instance's claim.
    and ${IS_DUE}
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
