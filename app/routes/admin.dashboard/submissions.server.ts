import { getColumns } from "~/services/submissions/submission-columns";
import { signups, submissions } from "~/services/container.server";
import { readPage, readPlace } from "~/http/list-state";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { days } from "~/lib/durations";
import { type Period, type PeriodLength, PERIODS, periodsUntil } from "~/lib/periods";
import { UTC } from "~/lib/zoned-time";

/** Rows of a page: few enough that the dashboard with three tables can be scanned. */
const PAGE_SIZE = 10;
/** Newest submissions beside the chart, as many as fit its height; at most a page, from whose rows they are taken. */
const NEWEST = 10;

/** How far back the change of a count is told: a whole day, whatever the operator's time zone. */
const CHANGE_MS = days(1);

export type SubmissionsView = Awaited<ReturnType<typeof getSubmissions>>;
export type SubmissionTable = SubmissionsView["tables"][number];

/** Counts, in the order of the forms, what arrived in the last 24 hours and since the last visit, if there was one. */
export async function getArrivals(newSince: number | undefined, now: number) {
  const countSince = (since: number) =>
    Promise.all(SUBMISSION_KINDS.map((kind) => submissions.countSince(kind, since)));
  const [lastDay, sinceVisit] = await Promise.all([
    countSince(now - CHANGE_MS),
    newSince === undefined ? undefined : countSince(newSince),
  ]);
  return { lastDay, sinceVisit, newSince };
}

export type Arrivals = Awaited<ReturnType<typeof getArrivals>>;

/**
 * Lists the three tables, each at the page in the URL, and the newest submissions of all forms together.
 * @param newSince epoch milliseconds, since when submissions are new to the operator; undefined: none is.
 */
export async function getSubmissions(search: URLSearchParams, newSince: number | undefined) {
  const found = await Promise.all(SUBMISSION_KINDS.map((kind) => getTable(kind, search, newSince)));
  const newest = found.flatMap((table) => table.newest);
  return {
    tables: found.map(({ newest: _, ...table }) => table),
    newest: newest.sort((a, b) => b.createdAt - a.createdAt).slice(0, NEWEST),
  };
}

async function getTable(kind: SubmissionKind, search: URLSearchParams, newSince: number | undefined) {
  const { rows, ...page } = await readPage(readPlace(search, kind), PAGE_SIZE, (page) =>
    signups.list(kind, page),
  );
  const newest = page.isFirst ? rows : await signups.list(kind, { limit: NEWEST });
  const columns = getColumns(kind);
  const isNew = (row: { created_at: number }) => newSince !== undefined && row.created_at >= newSince;
  return {
    kind,
    parameters: { before: `${kind}-before`, after: `${kind}-after` },
    ...page,
    rows: rows.map((row) => ({
      id: row.id,
      isNew: isNew(row),
      cells: columns.map((column) => row[column]),
      /** The column that links to the person: not everybody gives a name. */
      linked: row.name === "" ? "email" : "name",
    })),
    newest: newest.slice(0, NEWEST).map((row) => ({
      id: row.id,
      kind,
      name: row.name || row.email,
      isNew: isNew(row),
      createdAt: row.created_at,
    })),
  };
}

/**
 * Counts accepted submissions by `?over=day`, `week` or `month`; by day without it. `daily` are the last 30 days in any
 * case. Periods are those of the time zone or, where that would mean to count too much, of UTC, which the chart then says.
 */
export async function getSubmissionsOverTime(
  search: URLSearchParams,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<SubmissionsOverTime> {
  const over = PERIODS.find((length) => length === search.get("over")) ?? "day";
  const periods = periodsUntil(now, over, timeZone);
  const counting = signups.countByPeriod(periods);
  const [counts, daily] = await Promise.all([
    counting,
    over === "day" ? counting : signups.countByPeriod(periodsUntil(now, "day", timeZone)),
  ]);
  if (!counts || !daily) return getSubmissionsOverTime(search, { now, timeZone: UTC });
  return {
    over,
    timeZone,
    periods: periods.map(({ name, days }, index) => ({ name, days, counts: counts[index] ?? [] })),
    daily,
  };
}

export interface SubmissionsOverTime {
  readonly over: PeriodLength;
  /** The zone of the periods. */
  readonly timeZone: string;
  /** Counts are in the order of the forms. */
  readonly periods: readonly (Pick<Period, "name" | "days"> & { readonly counts: readonly number[] })[];
  readonly daily: readonly (readonly number[])[];
}
