import { getColumns } from "~/content/submission-columns";
import { signups } from "~/services/container.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";
import { toPage } from "~/http/list-state";
import { type Period, PERIODS, periodsUntil } from "~/lib/periods";
import { utcDay } from "~/lib/utc-day";

/** Rows of a page: few enough that the dashboard with three tables can be scanned. */
const PAGE_SIZE = 10;

export type SubmissionTable = Awaited<ReturnType<typeof getTable>>;

/** Lists the three tables, each at the page in the URL, and says when the last signup of any form arrived. */
export async function getSubmissions(search: URLSearchParams) {
  const tables = await Promise.all(SUBMISSION_KINDS.map((kind) => getTable(kind, search)));
  const times = tables.flatMap(({ newestAt }) => newestAt ?? []);
  return { tables, lastSignupAt: times.length > 0 ? Math.max(...times) : undefined };
}

async function getTable(kind: SubmissionKind, search: URLSearchParams) {
  // Each table has its own page parameter.
  const parameter = `${kind}-before`;
  const before = search.get(parameter) ?? undefined;
  const found = await signups.list(kind, { before, limit: PAGE_SIZE + 1 });
  const [newest] = before === undefined ? found : await signups.list(kind, { limit: 1 });
  const { rows, ...page } = toPage(found, PAGE_SIZE, before);
  const columns = getColumns(kind);
  return {
    kind,
    parameter,
    ...page,
    rows: rows.map((row) => ({ id: row.id, cells: columns.map((column) => row[column]) })),
    newestAt: newest?.created_at,
  };
}

/** Counts signups by `?over=day`, `week` or `month`; by day without it. `daily` are the last 30 days in any case. */
export async function getSignupsOverTime(search: URLSearchParams, now: number) {
  const over = PERIODS.find((length) => length === search.get("over")) ?? "day";
  const periods = periodsUntil(now, over);
  const lastDays = periodsUntil(now, "day");
  const rows = await signups.days(Math.min(...[periods, lastDays].map(([first]) => first?.from ?? now)));
  const countIn = ({ from, until }: Pick<Period, "from" | "until">, kind: SubmissionKind) =>
    rows.reduce(
      (sum, row) => (row.kind === kind && row.day >= from && row.day < until ? sum + row.count : sum),
      0,
    );
  const count = (period: Period) => SUBMISSION_KINDS.map((kind) => countIn(period, kind));
  return {
    over,
    periods: periods.map((period) => ({
      name: period.name,
      // The filter's last day is included.
      days: { from: utcDay(period.from), to: utcDay(period.until - 1) },
      counts: count(period),
    })),
    daily: lastDays.map(count),
  };
}

export type SignupsOverTime = Awaited<ReturnType<typeof getSignupsOverTime>>;
