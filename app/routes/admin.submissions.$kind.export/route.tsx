import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { listColumns, toCell } from "~/content/submission-columns";
import { submissionMessages } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { csvDownload } from "~/http/csv-download.server";
import { linkTo } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { capitalize } from "~/lib/capitalize";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { filterInWords, submissionsList } from "~/routes/admin.submissions.$kind/filter";
import { getKind } from "~/routes/admin.submissions.$kind/submissions.server";
import { access, activity, submissions } from "~/services/container.server";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import type { ListedSubmission } from "~/services/submissions/submissions.server";

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { kind, read } = readList(request, params);
  return seeOther(linkTo(paths.submissionTable(kind), read.values));
}

/** Exports all rows under the page's filter, in the same order. */
export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const { kind, read } = readList(request, params);
  if (!read.ok) return seeOther(linkTo(paths.submissionTable(kind), read.values));
  const scope = filterInWords(kind, read.values);
  await activity.recordExport("export-submissions", scope, getActor(request, person));
  const name = `${kind}-${utcDay(Date.now())}.csv`;
  const batches = submissions.batches(read.filter.matching, read.filter.sort);
  return csvDownload(request, name, getCsvColumns(kind), batches);
}

function readList(request: Request, params: { kind?: string | undefined }) {
  const kind = getKind(params);
  return { kind, read: submissionsList(kind).read(new URL(request.url).searchParams) };
}

/** Returns the file's columns, with values as on the screen. */
function getCsvColumns(kind: SubmissionKind): Record<string, (row: ListedSubmission) => string> {
  const own = listColumns(kind).map(([column, header]) => [
    header,
    (row: ListedSubmission) => {
      const text = toCell(column, row);
      return column === "role" || column === "inquiry_type" ? capitalize(text) : text;
    },
  ]);
  const { open } = submissionMessages.emailStates(kind);
  const getEmailStatus = ({ suppression }: ListedSubmission) =>
    suppression ? suppressionMessages.reasons[suppression] : open;
  return { ...Object.fromEntries(own), [submissionMessages.mail]: getEmailStatus };
}
