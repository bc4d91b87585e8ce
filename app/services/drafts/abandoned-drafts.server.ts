import { sql } from "kysely";
import type { Database } from "~/db/database.server";
import { days } from "~/lib/durations";
import type { Clock } from "~/services/service-deps";
import { sweepRows } from "~/services/sweep-in-chunks.server";

/** Drafts not edited for this long are deleted. */
export const DRAFT_LIFETIME_MS = days(30);

/**
 * Deletes abandoned drafts; confirmed campaigns and broadcasts are kept. A campaign that an edit made a draft again has no
 * deliveries left by then: the worker drops them soon after the edit.
 */
export function sweepDrafts(
  database: Database,
  table: "campaigns" | "broadcasts",
  clock: Clock,
): Promise<void> {
  const isAbandoned = sql<boolean>`state = 'draft' and touched_at <= ${clock() - DRAFT_LIFETIME_MS}`;
  return sweepRows(database, { table, key: "id" }, isAbandoned);
}
