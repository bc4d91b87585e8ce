import { isUuid } from "./uuid";

export type Direction = "asc" | "desc";

/** The order that was chosen for a list. */
export interface SortOrder<By extends string> {
  readonly sort: By;
  readonly direction: Direction;
}

/**
 * Page of a list: the rows before or after one of them by the list's key, whichever way the list shows them. With
 * neither it is the list's first page. Of a list newest first, `before` is an older page and `after` a newer one.
 */
export interface ListPage {
  /** Id of the row whose key is greater than those of the page; an invalid one counts as left out. */
  readonly before?: string | undefined;
  /** Id of the row whose key is less than those of the page; an invalid one counts as left out. */
  readonly after?: string | undefined;
  /** What that row is sorted by, where it is known: it bounds the page then even if it has gone or changed since. */
  readonly boundKey?: string | undefined;
  /** Called when that row has gone and its key is needed: the list's first page is returned instead. */
  readonly onBoundGone?: (() => void) | undefined;
  readonly limit: number;
}

/** Returns the page with its one bound, or with none when that is no valid id. */
export function toKnownPage({ before, after, boundKey, limit }: ListPage): ListPage {
  if (before !== undefined && isUuid(before)) return { before, boundKey, limit };
  return after !== undefined && isUuid(after) ? { after, boundKey, limit } : { limit };
}

/** Returns whether a page is read from its bound on against the list's direction, and then turned round. */
export function isTurned({ before, after }: ListPage, direction: Direction): boolean {
  return direction === "desc" ? after !== undefined : before !== undefined;
}

/** Turns a page to another order, in which "the next ones" may be the earlier ones. */
export function reorderPage<Page extends ListPage & { readonly order: { readonly direction: Direction } }>(
  page: Page,
  order: Page["order"],
): Page {
  if (page.order.direction === order.direction) return { ...page, order };
  return { ...page, order, before: page.after, after: page.before };
}

/** Returns the page of these ids in their list's direction. Ids sort by time (app/db/tables.ts). */
export function takePage(ids: readonly string[], page: ListPage, direction: Direction = "desc"): string[] {
  const { before, after, limit } = page;
  const rising = ids
    .filter((id) => (before === undefined || id < before) && (after === undefined || id > after))
    .toSorted();
  const isFromEnd = isTurned(page, direction) === (direction === "asc");
  const taken = isFromEnd ? rising.slice(Math.max(0, rising.length - limit)) : rising.slice(0, limit);
  return direction === "asc" ? taken : taken.reverse();
}
