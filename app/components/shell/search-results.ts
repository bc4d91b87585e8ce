/** In UTF-16 units, as browsers count: each takes up to nine of the 2,048 bytes of an address (hardening R17). */
export const SEARCH_MAX_LENGTH = 200;

/** One search result. */
export interface Hit {
  readonly to: string;
  /** Fields to post for a result that acts at once; the current page is added to them. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly title: string;
  readonly detail?: string | undefined;
  /** Creation time in epoch milliseconds. */
  readonly at?: number | undefined;
}

/** The results of one kind, in its own order: the newest first, by name, or as in the menu. */
export interface HitGroup {
  readonly id: string;
  readonly title: string;
  readonly hits: readonly Hit[];
  /** Number of newest rows searched, when that is not all of them. */
  readonly among: number | undefined;
  /** Link to all results, when there are more than `hits`. */
  readonly more: { readonly to: string; readonly name: string } | undefined;
}

/** What the palette reads of the search page's data. */
export interface SearchResults {
  readonly typed: string;
  /** True when the server could not be asked. */
  readonly failed: boolean;
  readonly groups: readonly HitGroup[];
}
