import type { ListPage } from "~/lib/list-page";

/** A search for one page of ids, newest first. */
export interface SearchQuery {
  /** The words that were typed (app/lib/search-words.ts); at least one. */
  readonly terms: readonly string[];
  /** With a valid bound, or none. */
  readonly page: ListPage;
}

/**
 * All results, newest first; `isAll` is false where there are too many, or the search is too common to find them all: then the newest of
 * them, none left out.
 */
export interface FewResults {
  readonly ids: string[];
  readonly isAll: boolean;
}
