import type { Read } from "~/db/database.server";

/** Sums the visits of each source over the UTC days from this one on; epoch milliseconds. */
export async function sumVisitsBySource(read: Read, from: number): Promise<Map<string, number>> {
  const rows = await read
    .selectFrom("landing_visits")
    .select(({ fn }) => ["source", fn.sum("count").as("count")])
    .where("day", ">=", from)
    .groupBy("source")
    .execute();
  return new Map(rows.map(({ source, count }) => [source, Number(count)]));
}

interface OfSource {
  readonly source: string;
  readonly visits: number;
  readonly signups: number;
}

/** Leaves out sources that nobody came from, and sorts the others: most signups first, then most visits. */
export const listPresent = <Row extends OfSource>(rows: readonly Row[]): Row[] =>
  rows
    .filter((each) => each.visits > 0 || each.signups > 0)
    .sort((a, b) => b.signups - a.signups || b.visits - a.visits || (a.source < b.source ? -1 : 1));
