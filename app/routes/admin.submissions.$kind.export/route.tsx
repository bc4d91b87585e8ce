import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { csvDownload } from "~/csv-download.server";
import { capitalized } from "~/lib/capitalized";
import { utcDay } from "~/lib/utc-day";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { originOf } from "~/request-context.server";
import { submissionsAt } from "~/routes/admin.submissions.$kind/address";
import { filterInWords, readFilter } from "~/routes/admin.submissions.$kind/filter";
import { access, submissions } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/submission-kinds";
import type { SubmissionKind } from "~/services/signups/submission-kinds";
import type { ListedSubmission } from "~/services/submissions/submissions.server";
import { cellsOf, headersOf } from "~/submission-columns";

/** Taking a copy is written down, and nothing is written on GET. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { kind, read } = asked(request, params);
  return seeOther(submissionsAt(kind, read.values));
}

/** Exactly what the page shows under the same filter, all of it, in the same order. */
export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const { kind, read } = asked(request, params);
  if (!read.ok) return seeOther(submissionsAt(kind, read.values));
  await submissions.recordExport(filterInWords(kind, read.values), {
    by: person.email,
    ...originOf(request),
  });
  const header = [...headersOf(kind), "Mail"];
  const lines = linesOf(kind, submissions.batches(read.filter, read.sort));
  return csvDownload(request, `${kind}-${utcDay(Date.now())}.csv`, header, lines);
}

function asked(request: Request, params: { kind?: string | undefined }) {
  const kind = SUBMISSION_KINDS.find((known) => known === params.kind);
  if (!kind) throw seeOther(paths.submissions);
  const { searchParams } = new URL(request.url);
  return { kind, read: readFilter(kind, (field) => searchParams.get(field) ?? undefined) };
}

async function* linesOf(kind: SubmissionKind, batches: AsyncIterable<readonly ListedSubmission[]>) {
  for await (const rows of batches) yield rows.map((row) => lineOf(kind, row));
}

/** In the order of the headers. */
function lineOf(kind: SubmissionKind, row: ListedSubmission): string[] {
  const { mailStates } = operatorMessages.submissions;
  const mail = row.suppression ? operatorMessages.suppressions.reasons[row.suppression] : mailStates.open;
  // As the screen has them.
  const words = { ...row, role: capitalized(row.role), inquiry_type: capitalized(row.inquiry_type) };
  return [...cellsOf(kind, words), mail];
}
