import type { Read } from "~/db/database.server";
import { takePage, type ListPage } from "~/lib/list-page";
import { UNFINISHED_STATES } from "./life-cycle";

/** The totals of a campaign or broadcast that a list shows; `failed` includes devices that are gone. */
export interface ListedStats {
  /** Selected and not skipped: the number the question before it named. */
  readonly recipients: number;
  readonly sent: number;
  readonly failed: number;
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

/**
 * Lists a page of the deliveries in all these states by id, from the page of each state: the indexes of deliveries are
 * ordered by id within a state.
 */
export async function mergeStates<State, Row extends { readonly id: string }>(
  states: readonly State[],
  page: ListPage,
  listPage: (state: State) => Promise<Row[]>,
): Promise<Row[]> {
  const rows = (await Promise.all(states.map(listPage))).flat();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return takePage([...byId.keys()], page, "asc").flatMap((id) => byId.get(id) ?? []);
}
