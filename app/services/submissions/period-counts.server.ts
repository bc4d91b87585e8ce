import { sql } from "kysely";
import type { Read } from "~/db/database.server";
import { days, hours } from "~/lib/durations";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import type { Period } from "~/lib/periods";
import { startOfDay } from "~/lib/utc-day";
import { getLeastUuid } from "~/lib/uuid";

/** Submissions that one answer may count one by one, in the index alone: 10 ms on either database. */
const MAX_COUNTED = 50_000;

type Span = Pick<Period, "from" | "until">;

/** A UTC day that is divided by a boundary of a period, and its part to count. */
interface DividedDay extends Span {
  readonly boundary: number;
  /** Whether the part is the one before the boundary: the shorter one is counted. */
  readonly isBefore: boolean;
}

/**
 * Counts the accepted submissions in periods, by form: whole UTC days from their stored counts, the parts of a day that a
 * period of another time zone begins or ends in one by one.
 * @param periods in order and without gaps.
 * @returns for each period its counts in the order of SUBMISSION_KINDS; undefined when that would mean to count too many
 *   one by one, which it never does for UTC days.
 */
export async function countByPeriod(read: Read, periods: readonly Span[]): Promise<number[][] | undefined> {
  const boundaries = [...periods.map(({ from }) => from), ...periods.slice(-1).map(({ until }) => until)];
  const dayCounts = await read
    .selectFrom("submission_days")
    .selectAll()
    .where("day", ">=", startOfDay(boundaries[0] ?? 0))
    .where("count", "!=", 0)
    .execute();
  const sum = (kind: SubmissionKind | undefined, isCounted: (day: number) => boolean) =>
    dayCounts.reduce(
      (total, row) => ((kind ?? row.kind) === row.kind && isCounted(row.day) ? total + row.count : total),
      0,
    );
  const divided = boundaries.flatMap(toDividedDay);
  const expected = divided.reduce(
    (total, { boundary, from, until }) =>
      total + sum(undefined, (day) => day === startOfDay(boundary)) * ((until - from) / days(1)),
    0,
  );
  if (expected > MAX_COUNTED) return undefined;
  const counted = await countParts(read, divided);
  const countBefore = (boundary: number, kind: SubmissionKind) => {
    const today = startOfDay(boundary);
    const earlier = sum(kind, (day) => day < today);
    const part = divided.find((each) => each.boundary === boundary);
    if (!part) return earlier;
    const count = counted.find((row) => row.boundary === boundary && row.kind === kind)?.count ?? 0;
    return earlier + (part.isBefore ? count : sum(kind, (day) => day === today) - count);
  };
  return periods.map(({ from, until }) =>
    SUBMISSION_KINDS.map((kind) => countBefore(until, kind) - countBefore(from, kind)),
  );
}

function toDividedDay(boundary: number): DividedDay[] {
  const day = startOfDay(boundary);
  if (day === boundary) return [];
  return boundary - day <= hours(12)
    ? [{ boundary, from: day, until: boundary, isBefore: true }]
    : [{ boundary, from: boundary, until: day + days(1), isBefore: false }];
}

/** Counts the parts by form, each from the index of a form's list. */
async function countParts(read: Read, parts: readonly DividedDay[]) {
  if (parts.length === 0) return [];
  const ranges = parts.map(
    ({ boundary, from, until }) =>
      sql`(${sql.lit(boundary)}, ${sql.lit(getLeastUuid(from))}, ${sql.lit(getLeastUuid(until))})`,
  );
  const kinds = SUBMISSION_KINDS.map((kind) => sql`(${sql.lit(kind)})`);
  const { rows } = await sql<{ kind: SubmissionKind; boundary: number; count: number }>`
    with parts (boundary, first, past) as (values ${sql.join(ranges)}), kinds (kind) as (values ${sql.join(kinds)})
    select kinds.kind, parts.boundary, (
      select count(*) from submissions
      where submissions.kind = kinds.kind and state = 'accepted' and id >= parts.first and id < parts.past
    ) as count
    from parts cross join kinds`.execute(read);
  return rows;
}
