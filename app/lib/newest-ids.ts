/** Returns the newest `limit` ids, newest first: ids sort by time (app/db/tables.ts). */
export function newestIds(ids: readonly string[], limit: number): string[] {
  return ids.toSorted().reverse().slice(0, limit);
}
