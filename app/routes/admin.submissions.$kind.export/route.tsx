import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { submissionMessages } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { getHeaders, toCells } from "~/content/submission-columns";
import { csvDownload } from "~/http/csv-download.server";
import { linkTo } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { capitalize } from "~/lib/capitalize";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { filterInWords, submissionsList } from "~/routes/admin.submissions.$kind/filter";
import { getKind } from "~/routes/admin.submissions.$kind/submissions.server";
import { access, submissions } from "~/services/container.server";
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
  await submissions.recordExport(filterInWords(kind, read.values), {
    by: person.email,
    ...getRequestOrigin(request),
  });
  const header = [...getHeaders(kind), "Email status"];
  const batches = submissions.batches(read.filter.matching, read.filter.sort);
  return csvDownload(request, `${kind}-${utcDay(Date.now())}.csv`, header, batches, (row) =>
    toLine(kind, row),
  );
}

function readList(request: Request, params: { kind?: string | undefined }) {
  const kind = getKind(params);
  return { kind, read: submissionsList(kind).read(new URL(request.url).searchParams) };
}

/** Returns a row's values in the order of the headers. */
function toLine(kind: SubmissionKind, row: ListedSubmission): string[] {
  const { emailStates } = submissionMessages;
  const emailStatus = row.suppression ? suppressionMessages.reasons[row.suppression] : emailStates.open;
  // Formatted as on the screen.
  const words = { ...row, role: capitalize(row.role), inquiry_type: capitalize(row.inquiry_type) };
  return [...toCells(kind, words), emailStatus];
}
