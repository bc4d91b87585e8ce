import { sql } from "kysely";
import type { Write } from "~/db/database.server";
import type { SubmissionsTable } from "~/db/tables/submissions";
import type { SubmissionKind } from "~/lib/form-fields";
import { isFixedSource, limitSource } from "~/lib/source";
import { startOfDay } from "~/lib/utc-day";

/**
 * Returns the source under which a new submission is stored: "other" where its form has had 200 sources of accepted
 * submissions on that day already, besides the fixed ones; those of submissions deleted since count too, so that the table
 * stays bounded. Two at the same moment may both be the last one.
 */
export async function limitSubmissionSource(
  trx: Write,
  { kind, source, created_at }: Pick<SubmissionsTable, "kind" | "source" | "created_at">,
): Promise<string> {
  const [limited = source] = await limitSubmissionSources(trx, kind, [{ source, created_at }]);
  return limited;
}

/** Returns the sources under which these new submissions of one form are stored, likewise, in their order. */
export async function limitSubmissionSources(
  trx: Write,
  kind: SubmissionKind,
  submissions: readonly Pick<SubmissionsTable, "source" | "created_at">[],
): Promise<string[]> {
  const known = new Map<number, Set<string>>();
  for (const { source, created_at } of submissions) {
    if (!isFixedSource(source)) known.set(startOfDay(created_at), new Set());
  }
  const rows =
    known.size === 0
      ? []
      : await trx
          .selectFrom("submission_sources")
          .select(["day", "source"])
          .where("kind", "=", kind)
          .where("day", "in", [...known.keys()])
          .execute();
  for (const { day, source } of rows) known.get(day)?.add(source);
  return submissions.map(({ source, created_at }) => {
    const ofDay = known.get(startOfDay(created_at)) ?? new Set();
    const limited = limitSource(source, ofDay);
    ofDay.add(limited);
    return limited;
  });
}

/** Adds submissions to the counts by day and source, or takes them off. */
export async function addToSources(
  trx: Write,
  kind: SubmissionKind,
  rows: readonly Pick<SubmissionsTable, "created_at" | "source">[],
  by: 1 | -1,
): Promise<void> {
  const counts = new Map<string, { kind: SubmissionKind; day: number; source: string; count: number }>();
  for (const { created_at, source } of rows) {
    const day = startOfDay(created_at);
    const key = `${day} ${source}`;
    counts.set(key, { kind, day, source, count: (counts.get(key)?.count ?? 0) + by });
  }
  await trx
    .insertInto("submission_sources")
    .values([...counts.values()].sort((a, b) => a.day - b.day || (a.source < b.source ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "day", "source"])
        .doUpdateSet({ count: sql`submission_sources.count + excluded.count` }),
    )
    .execute();
}
