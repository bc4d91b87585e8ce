import { sql, type Expression, type SelectQueryBuilder } from "kysely";
import { isTurned, toKnownPage, type Direction, type ListPage } from "~/lib/list-page";
import type { Read } from "./database.server";

/** The order of a list: by a key, and rows of the same key by id. Left out: by id, newest first. */
export interface ListOrder {
  /** Sorted by before the id; never null. An index on key and id finds every page in constant time. */
  readonly key?: Expression<string | number> | undefined;
  /** The column of the id, where a join has several. */
  readonly id?: string | undefined;
  readonly direction?: Direction | undefined;
}

/**
 * Returns a page of a query's rows in the order of its list: in constant time, where an index has that order. Where the
 * list has a key, a row that has left the query bounds no page, so that the first one is returned; an export, which
 * would repeat everything then, says the key of the last row it read.
 */
export async function fetchPage<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  page: ListPage,
  order: ListOrder = {},
): Promise<Row[]> {
  const { key, id = "id" } = order;
  const known = toKnownPage(page);
  const bound = known.before ?? known.after;
  if (bound === undefined || key === undefined) return fetchFrom(query, known, order);
  if (known.boundKey !== undefined) return fetchFrom(query, known, order, known.boundKey);
  const row = await query
    .clearSelect()
    .select(sql<string | number>`${key}`.as("key"))
    .where(sql.ref<string>(id), "=", bound)
    .$castTo<{ key: string | number }>()
    .executeTakeFirst();
  if (!row) page.onBoundGone?.();
  return fetchFrom(query, row ? known : { limit: page.limit }, order, row?.key);
}

/** Returns a page whose bound is valid. @param at the key of the row that bounds it, where the list has a key. */
export async function fetchFrom<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  page: ListPage,
  { key, ...order }: ListOrder,
  at?: string | number,
): Promise<Row[]> {
  const rows = key
    ? await readByKey(query, page, { ...order, key }, at)
    : await limitToPage(query, page, order).execute();
  return isTurned(page, order.direction ?? "desc") ? rows.reverse() : rows;
}

/**
 * Reads the rows from the page's bound on: first those with the same key, then the others. As one condition an index
 * would be read from the first of the same key on, which may be most of the table.
 */
async function readByKey<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  page: ListPage,
  order: ListOrder & { readonly key: Expression<string | number> },
  at: string | number | undefined,
): Promise<Row[]> {
  const { key } = order;
  const { limit } = page;
  const direction = getReadDirection(page, order);
  const sorted = (rows: SelectQueryBuilder<DB, Table, Row>, rest: number) =>
    limitToPage(rows.orderBy(key, direction), { limit: rest }, { ...order, direction }).execute();
  if (at === undefined) return sorted(query, limit);
  const same = await limitToPage(query.where(sql<boolean>`${key} = ${at}`), page, order).execute();
  if (same.length === limit) return same;
  const beyond = page.before === undefined ? sql<boolean>`${key} > ${at}` : sql<boolean>`${key} < ${at}`;
  return [...same, ...(await sorted(query.where(beyond), limit - same.length))];
}

/** Limits a query to a page by id, with the rows from the page's bound on. */
export function limitToPage<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  page: ListPage,
  order: Omit<ListOrder, "key">,
): SelectQueryBuilder<DB, Table, Row> {
  const { before, after, limit } = page;
  const id = sql.ref<string>(order.id ?? "id");
  let rows = query;
  if (before !== undefined) rows = rows.where(id, "<", before);
  if (after !== undefined) rows = rows.where(id, ">", after);
  return rows.orderBy(id, getReadDirection(page, order)).limit(limit);
}

/** Returns the direction in which a page is read: the list's, or the other one for a page that is turned round. */
function getReadDirection(page: ListPage, { direction = "desc" }: Omit<ListOrder, "key">): Direction {
  return isTurned(page, direction) === (direction === "asc") ? "desc" : "asc";
}

/** Returns the ids of a query's rows, in its order. */
export async function fetchIds(query: {
  execute(): Promise<readonly { readonly id: string }[]>;
}): Promise<string[]> {
  return toIds(await query.execute());
}

export const toIds = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

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
