import { signups } from "~/services/container.server";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";
import { toPage } from "~/http/list-state";
import { PERIODS, periodsUntil } from "~/lib/periods";

/** Rows of a page: few enough that the dashboard with three tables can be scanned. */
const PAGE_SIZE = 10;

export type SubmissionTable = Awaited<ReturnType<typeof getTable>>;

/** Lists the three tables, each at the page in the URL. */
export function listSubmissionTables(search: URLSearchParams): Promise<SubmissionTable[]> {
  return Promise.all(SUBMISSION_KINDS.map((kind) => getTable(kind, search)));
}

async function getTable(kind: SubmissionKind, search: URLSearchParams) {
  // Each table has its own page parameter.
  const parameter = `${kind}-before`;
  const before = search.get(parameter) ?? undefined;
  const found = await signups.list(kind, { before, limit: PAGE_SIZE + 1 });
  return { kind, parameter, ...toPage(found, PAGE_SIZE), isNewest: before === undefined };
}

/** Counts signups by `?over=day`, `week` or `month`; by day without it. */
export async function getSignupsOverTime(search: URLSearchParams, now: number) {
  const over = PERIODS.find((length) => length === search.get("over")) ?? "day";
  const periods = periodsUntil(now, over);
  const days = await signups.days(periods[0]?.from ?? now);
  const rows = periods.map(({ name, from, until }) => {
    const within = days.filter(({ day }) => day >= from && day < until);
    const counts = SUBMISSION_KINDS.map((kind) =>
      within.reduce((sum, row) => (row.kind === kind ? sum + row.count : sum), 0),
    );
    return { name, counts };
  });
  return { over, rows };
}

export type SignupsOverTime = Awaited<ReturnType<typeof getSignupsOverTime>>;
