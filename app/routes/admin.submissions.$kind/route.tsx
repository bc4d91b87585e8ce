import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { operatorMessages } from "~/content/operator-messages";
import { toSearch } from "~/http/list-state";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { access } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { actOnSubmissions, getSubmissionsView, type SubmissionsView } from "./submissions.server";
import { isFiltered } from "./filter";
import { FilterForm } from "./filter-form";
import { Kinds } from "./kinds";
import { Question } from "./question";
import { RecentDeletions, Undo } from "./recent-deletions";
import { Rows } from "./rows";

const copy = operatorMessages.submissions;

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.title) }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const view = await getSubmissionsView(getKind(params), new URL(request.url).searchParams);
  return data(view, { status: view.errors ? 422 : 200 });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnSubmissions(request, getKind(params), person);
}

/** @throws a redirect to the first table when there is no such form */
function getKind(params: { kind?: string | undefined }) {
  const kind = SUBMISSION_KINDS.find((known) => known === params.kind);
  if (!kind) throw seeOther(paths.submissions);
  return kind;
}

/** The submissions of one form: search, filter, sort, deletion with undo, and export. */
export default function Submissions() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { kind, counts, rows, question, values, errors, after, next } = view;
  // All matches are on this page, or their number is known.
  const matching = after === undefined && next === undefined ? rows.length : view.total;
  const search = toSearch(values);
  return (
    <>
      <PageHeader
        title={copy.title}
        state={
          isFiltered(values) && !errors && matching !== undefined
            ? copy.matching(kind, matching, counts[kind])
            : copy.kept(kind, counts[kind])
        }
        actions={
          rows.length > 0 ? (
            <CsvDownloadForm
              action={`${paths.submissionsExport(kind)}?${search}`}
              name={isFiltered(values) ? copy.exportThese : copy.exportAll}
            />
          ) : null
        }
      />
      <div className="flex flex-col gap-4">
        <Kinds counts={counts} unconfirmed={view.unconfirmed} />
        <ActionResult view={view} />
        <FilterForm key={`${kind}?${search}`} kind={kind} values={values} errors={errors} />
        <Rows view={view} />
        <RecentDeletions view={view} />
      </div>
      {question ? <Question question={question} view={view} wordError={answer?.wordError} /> : null}
    </>
  );
}

/** Shows the result of the last form; a deletion with its undo button. */
function ActionResult({ view }: { view: SubmissionsView }) {
  const [search] = useSearchParams();
  const deletion = search.get("deletion");
  const canUndo = useNotice() === "submissions-deleted" && view.recent.some(({ id }) => id === deletion);
  return (
    <Notice>
      {canUndo && deletion ? (
        <div className="mt-2">
          <Undo view={view} deletion={deletion} />
        </div>
      ) : null}
    </Notice>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
