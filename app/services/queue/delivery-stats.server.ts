import { sql, type SelectQueryBuilder } from "kysely";
import type { Read } from "~/db/database.server";
import { limitToPage } from "~/db/rows";
import { isTurned, type ListPage } from "~/lib/list-page";
import { UNFINISHED_STATES } from "./life-cycle";

/** The totals of a campaign or broadcast that a list shows; `failed` includes devices that are gone. */
export interface ListedStats {
  /** Deliveries that were created so far and not skipped. */
  readonly recipients: number;
  readonly sent: number;
  readonly failed: number;
  /** Whether the application's backend did not send its part of a broadcast, or that is uncertain. */
  readonly lacksPart?: boolean;
}

export const NO_STATS: ListedStats = { recipients: 0, sent: 0, failed: 0 };

/** Sums counts of deliveries by state into totals by the id of their campaign or broadcast. */
export function toListedStats(
  rows: readonly { readonly id: string; readonly state: string; readonly count: number }[],
): Map<string, ListedStats> {
  const stats = new Map<string, ListedStats>();
  for (const { id, state, count } of rows) {
    const { recipients, sent, failed } = stats.get(id) ?? NO_STATS;
    stats.set(id, {
      recipients: recipients + (state === "skipped" ? 0 : count),
      sent: sent + (state === "sent" || state === "accepted" ? count : 0),
      failed: failed + (state === "failed" || state === "gone" ? count : 0),
    });
  }
  return stats;
}

/** Counts unfinished confirmed campaigns or broadcasts: active ones, and paused ones that wait for an operator. */
export async function countUnderWay(
  read: Read,
  table: "campaigns" | "broadcasts",
): Promise<{ active: number; paused: number }> {
  const rows = await read.selectFrom(table).select("state").where("state", "in", UNFINISHED_STATES).execute();
  const paused = rows.filter(({ state }) => state === "paused").length;
  return { active: rows.length - paused, paused };
}

/** States of deliveries that are not settled: not attempted, in flight, or waiting for a retry. */
const WAITING_STATES = ["pending", "claimed", "retrying"] as const;
type WaitingState = (typeof WAITING_STATES)[number];

/** What a list of deliveries is filtered by: a state, or "waiting" for all that are not settled. */
export type StateFilter<State> = State | "waiting";

/** Returns the states that a filter stands for. @param all the states to return without a filter. */
export function toStates<State extends string>(
  filter: StateFilter<State> | undefined,
  all: readonly (State | WaitingState)[],
): readonly (State | WaitingState)[] {
  if (filter === undefined) return all;
  return filter === "waiting" ? WAITING_STATES : [filter];
}

/**
 * Lists a page of the deliveries in all these states by id, from the page of each state: the indexes of deliveries are
 * ordered by id within a state. One statement, so that a delivery whose state changes meanwhile is in one of them.
 */
export async function mergeStates<State, Row extends { readonly id: string }, DB, Table extends keyof DB>(
  read: Read,
  states: readonly State[],
  page: ListPage,
  select: (state: State) => SelectQueryBuilder<DB, Table, Row>,
): Promise<Row[]> {
  const order = { direction: "asc" } as const;
  const pages = states.map(
    (state) => sql`select * from (${limitToPage(select(state), page, order)}) as listed`,
  );
  const isFromEnd = isTurned(page, order.direction);
  const { rows } = await sql<Row>`
    select * from (${sql.join(pages, sql` union all `)}) as merged
    order by id ${sql.raw(isFromEnd ? "desc" : "asc")} limit ${page.limit}
  `.execute(read);
  return isFromEnd ? rows.reverse() : rows;
}
