import { sql } from "kysely";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Read } from "~/db/database.server";
import type { Tables } from "~/db/tables";
import type { SubmissionKind, SubmissionsTable } from "~/db/tables/submissions";
import { newestIds } from "~/lib/newest-ids";
import { QUARANTINE_REASONS } from "./quarantine-reasons";
import type { QuarantineReason } from "./quarantine-reasons";
import { SUBMISSION_KINDS } from "./submission-kinds";
import { TYPED_COLUMNS } from "./typed-columns";
import type { TypedSubmission } from "./typed-columns";

/** Which of the submissions in quarantine; without any bound, all of them. */
export interface Bounds {
  readonly kind?: SubmissionKind | undefined;
  readonly reason?: QuarantineReason | undefined;
  /** These alone. */
  readonly ids?: readonly string[] | undefined;
  /** This one and older. */
  readonly through?: string | undefined;
  /** Older than this one. */
  readonly before?: string | undefined;
}

export interface QuarantineCount {
  readonly kind: SubmissionKind;
  readonly reason: QuarantineReason;
  readonly count: number;
}

export type QuarantinedSubmission = TypedSubmission &
  Pick<SubmissionsTable, "id" | "kind"> & { reason: SubmissionsTable["quarantine_reason"] };

/** Written out, not bound: only so does SQLite use the partial index `submissions_quarantine`. */
const IS_QUARANTINED = sql<boolean>`state = 'quarantined'`;

/**
 * Ids, newest first. The index is ordered by id within a reason and a form, so that more than one of them are merged from
 * a piece of each: as quick with a hundred thousand waiting, whichever of them match, as with ten.
 */
export async function newestQuarantined(read: Read, bounds: Bounds, limit: number): Promise<string[]> {
  const reasons = bounds.reason ? [bounds.reason] : QUARANTINE_REASONS;
  const kinds = bounds.kind ? [bounds.kind] : SUBMISSION_KINDS;
  const pieces = await Promise.all(
    reasons.flatMap((reason) =>
      kinds.map((kind) =>
        read
          .selectFrom("submissions")
          .select("id")
          .where(isWithin({ ...bounds, reason, kind }))
          .orderBy("id", "desc")
          .limit(limit)
          .execute(),
      ),
    ),
  );
  const ids = pieces.flat().map(({ id }) => id);
  return newestIds(ids, limit);
}

/** The submissions with these ids that still wait, newest first. */
export async function quarantinedRows(read: Read, ids: readonly string[]): Promise<QuarantinedSubmission[]> {
  if (ids.length === 0) return [];
  return read
    .selectFrom("submissions")
    .select(["id", "kind", "quarantine_reason as reason", "created_at", ...TYPED_COLUMNS])
    .where("id", "in", ids)
    .where("state", "=", "quarantined")
    .orderBy("id", "desc")
    .execute();
}

/** From the index alone: 10 ms for 100,000 on SQLite. */
export async function countQuarantined(read: Read, bounds: Bounds): Promise<QuarantineCount[]> {
  const rows = await read
    .selectFrom("submissions")
    .select(({ fn }) => ["kind", "quarantine_reason", fn.countAll<number>().as("count")])
    .where(isWithin(bounds))
    .groupBy(["quarantine_reason", "kind"])
    .execute();
  return QUARANTINE_REASONS.flatMap((reason) =>
    rows.flatMap((row) =>
      row.quarantine_reason === reason ? { kind: row.kind, reason, count: row.count } : [],
    ),
  );
}

function isWithin({ kind, reason, ids, through, before }: Bounds) {
  return (row: ExpressionBuilder<Tables, "submissions">): Expression<SqlBool> =>
    row.and([
      IS_QUARANTINED,
      ...(kind ? [row("kind", "=", kind)] : []),
      ...(reason ? [row("quarantine_reason", "=", reason)] : []),
      ...(ids ? [ids.length > 0 ? row("id", "in", ids) : sql<boolean>`1 = 0`] : []),
      ...(through ? [row("id", "<=", through)] : []),
      ...(before ? [row("id", "<", before)] : []),
    ]);
}
