import type { EpochMs, IntegerBoolean } from "./columns";

/** Filters and orders of the back office's lists, by name. */
export interface SavedViewsTable {
  id: string;
  /** Path of the list. */
  list: string;
  name: string;
  /** In lower case; unique among the views of an account and list. */
  name_key: string;
  /** Search of the list's URL, without a question mark and without a page; never empty. */
  query: string;
  /** 1: everybody sees it. 0: its maker alone. */
  is_shared: IntegerBoolean;
  /** Account of its maker; null once it was removed, which only a shared view outlives. */
  created_by: string | null;
  created_at: EpochMs;
  changed_at: EpochMs;
}

export interface SavedViewTables {
  saved_views: SavedViewsTable;
}
