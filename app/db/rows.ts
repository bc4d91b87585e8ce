import { sql, type SelectQueryBuilder } from "kysely";
import { isUuid } from "~/lib/uuid";
import type { Read } from "./database.server";

/** Page of a list that is ordered by id, newest first. */
export interface NewestPage {
  /** Id that the page follows; an invalid one counts as left out. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns a page of a query's rows, newest first: in constant time, where an index has their order. */
export function fetchNewest<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { before, limit }: NewestPage,
  column = "id",
) {
  const id = sql.ref<string>(column);
  const older = before && isUuid(before) ? query.where(id, "<", before) : query;
  return older.orderBy(id, "desc").limit(limit).execute();
}

/** Returns the ids of a query's rows, in its order. */
export async function fetchIds(query: {
  execute(): Promise<readonly { readonly id: string }[]>;
}): Promise<string[]> {
  return (await query.execute()).map(({ id }) => id);
}

/** Counts the rows of a query, whatever it selects. */
export async function countRows<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, object>,
): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(({ fn }) => fn.countAll().as("count"))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns whether a query has any row, whatever it selects. */
export async function hasRows<DB, Table extends keyof DB>(
  query: SelectQueryBuilder<DB, Table, object>,
): Promise<boolean> {
  const row = await query.clearSelect().select(sql.lit(1).as("one")).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Counts the rows of a query that selects a column, up to a limit that bounds what the count may cost. */
export function countUpTo<DB, Table extends keyof DB>(
  limit: number,
  read: Read,
  query: SelectQueryBuilder<DB, Table, object>,
): Promise<number> {
  return countRows(read.selectFrom(query.limit(limit).as("some")));
}
