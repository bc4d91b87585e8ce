/** The newest so many of these ids, newest first: their order is that of time (app/db/tables.ts). */
export function newestIds(ids: readonly string[], limit: number): string[] {
  return ids.toSorted().reverse().slice(0, limit);
}
