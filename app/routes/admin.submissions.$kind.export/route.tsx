import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { getFields, listColumns } from "~/lib/form-fields";
import { formatValue, toCell } from "~/services/submissions/submission-columns";
import { inquiryMessages } from "~/content/inquiries";
import { submissionMessages } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { csvDownload } from "~/http/csv-download.server";
import { linkTo } from "~/http/list-state";
import { filterInWords, submissionsList } from "~/http/lists/submissions-list";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { getSubmissionKind } from "~/http/submission-kind.server";
import type { SubmissionKind } from "~/lib/form-fields";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { access, activity, asksHeardFrom, submissions } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";
import type { ListedSubmission } from "~/services/submissions/submissions.server";

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { kind, read } = readList(request, params, operator);
  return seeOther(linkTo(paths.submissionTable(kind), read.values));
}

/** Exports all rows under the page's filter, in the same order. */
export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { kind, read } = readList(request, params, operator);
  if (!read.ok) return seeOther(linkTo(paths.submissionTable(kind), read.values));
  const scope = filterInWords(kind, read.values, operator.timeZone);
  await activity.recordExport("export-submissions", scope, getActor(request, operator));
  const name = `${kind}-${utcDay(Date.now())}.csv`;
  const batches = submissions.batches(read.filter.matching, read.filter.order);
  return csvDownload(request, name, getCsvColumns(kind), batches);
}

function readList(
  request: Request,
  params: { kind?: string | undefined },
  { timeZone }: Pick<SignedIn, "timeZone">,
) {
  const kind = getSubmissionKind(params);
  return { kind, read: submissionsList(kind).read(new URL(request.url).searchParams, timeZone) };
}

const ANSWER_COLUMNS: Record<string, (row: ListedSubmission) => string> = {
  [inquiryMessages.csv.status]: ({ answered_at }) =>
    inquiryMessages.states[answered_at === null ? "open" : "answered"],
  [inquiryMessages.csv.answeredBy]: ({ answered_by }) => answered_by ?? "",
  [inquiryMessages.csv.answeredAt]: ({ answered_at }) =>
    answered_at === null ? "" : new Date(answered_at).toISOString(),
};

/** Returns the columns of fields that are asked with HEARD_FROM=on. */
function listAddedColumns(kind: SubmissionKind): Record<string, (row: ListedSubmission) => string> {
  const added = getFields(kind).filter((field) => "setting" in field && asksHeardFrom);
  return Object.fromEntries(
    added.map(({ column, label }) => [label, (row: ListedSubmission) => formatValue(column, row[column])]),
  );
}

/** Returns the file's columns: choices are written as on the screen, times in UTC (ISO 8601). */
function getCsvColumns(kind: SubmissionKind): Record<string, (row: ListedSubmission) => string> {
  const own = listColumns(kind).map(({ column, csv }) => [
    csv,
    (row: ListedSubmission) => formatValue(column, toCell(column, row)),
  ]);
  const { open } = submissionMessages.emailStates(kind);
  const getEmailStatus = ({ suppression }: ListedSubmission) =>
    suppression ? suppressionMessages.reasons[suppression] : open;
  const columns = { ...Object.fromEntries(own), [submissionMessages.mail]: getEmailStatus };
  return {
    ...columns,
    ...(kind === "contact-form" ? ANSWER_COLUMNS : {}),
    [submissionMessages.source]: ({ source }: ListedSubmission) => source,
    ...listAddedColumns(kind),
  };
}
