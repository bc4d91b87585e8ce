import { signups } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { toPage } from "~/http/list-state";
import { pageParameter } from "./page-parameter";

/** Rows of a page: three tables of it still leave the dashboard one to be scanned. */
const PAGE_SIZE = 10;

export type TableKind = (typeof SUBMISSION_KINDS)[number];
export type SubmissionTable = Awaited<ReturnType<typeof tableOf>>;

/** The three tables, each on the page that the URL says. */
export function submissionTables(search: URLSearchParams): Promise<SubmissionTable[]> {
  return Promise.all(SUBMISSION_KINDS.map((kind) => tableOf(kind, search)));
}

async function tableOf(kind: TableKind, search: URLSearchParams) {
  const before = search.get(pageParameter(kind)) ?? undefined;
  const found = await signups.list(kind, { before, limit: PAGE_SIZE + 1 });
  return { kind, ...toPage(found, PAGE_SIZE), isNewest: before === undefined };
}
