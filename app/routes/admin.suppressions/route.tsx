import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Plus } from "~/components/icons";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { ButtonLink } from "~/components/ui/button";
import { backOfficeTitle } from "~/content/brand";
import { suppressionMessages as copy } from "~/content/suppressions";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { actOnSuppressions, getSuppressionsView } from "./suppressions.server";
import { toSearch } from "~/http/list-state";
import { Addresses, FilterForm } from "./addresses";
import { Question } from "./question";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return getSuppressionsView(new URL(request.url).searchParams);
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnSuppressions(request, person);
}

/** The Suppressions screen: the addresses that get no emails, with reason and date, and their release. */
export default function Suppressions() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { values, rows, before, now } = view;
  const search = toSearch(values);
  const [newest] = rows;
  /** The newest page of the list without a filter. */
  const isWhole = search === "" && before === undefined;
  return (
    <>
      <PageHeader
        title={copy.title}
        state={copy.state}
        latest={newest && isWhole ? { text: copy.lastAdded, at: newest.at, now } : undefined}
        actions={
          <>
            {rows.length > 0 ? (
              <CsvDownloadForm
                action={`${paths.suppressionsExport}?${search}`}
                name={search ? copy.exportThese : copy.exportAll}
              />
            ) : null}
            <ButtonLink to={paths.suppressionsAdd} variant="primary">
              <Plus aria-hidden />
              {copy.add}
            </ButtonLink>
          </>
        }
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        {isWhole && rows.length === 0 ? null : <FilterForm key={search} values={values} />}
        <Addresses view={view} />
      </div>
      {view.question ? <Question view={view} question={view.question} answer={answer} /> : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
