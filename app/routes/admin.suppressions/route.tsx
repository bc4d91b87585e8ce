import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { Plus } from "~/components/icons";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { TextField } from "~/components/text-field";
import { ButtonLink } from "~/components/ui/button";
import { backOfficeTitle } from "~/content/brand";
import { suppressionMessages as copy } from "~/content/suppressions";
import { linkTo, toSearch } from "~/http/list-state";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { Addresses, FilterForm } from "./addresses";
import { actOnSuppressions, getSuppressionsView, type SuppressionsView } from "./suppressions.server";

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
  // The newest page of the list without a filter.
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
              <CsvDownloadForm action={`${paths.suppressionsExport}?${search}`} isFiltered={search !== ""} />
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
      <Question view={view} answer={answer} />
    </>
  );
}

type QuestionProps = { view: SuppressionsView; answer: ReturnType<typeof useActionData<typeof action>> };

/** Says which addresses are released, and asks; asks for a reason too where a person had opted out. */
function Question({ view: { values, before, selected, question }, answer }: QuestionProps) {
  if (!question) return null;
  const { total, optedOut, named } = question;
  return (
    <ConfirmDialog
      title={copy.question(total)}
      closeTo={linkTo(paths.suppressions, { ...values, before, id: selected })}
      action={linkTo(paths.suppressions, { ...values, before, step: "release", id: selected })}
      intent="release"
      yes={copy.release}
      no={copy.keep}
      isDestructive={optedOut > 0}
      asksForInput={optedOut > 0}
      fields={
        <>
          {selected.map((id) => (
            <input key={id} type="hidden" name="id" value={id} />
          ))}
          {optedOut > 0 ? (
            <TextField
              label={copy.because}
              hint={copy.becauseHint}
              error={answer?.error}
              required
              className="mb-2 w-full"
              name="because"
              maxLength={200}
              defaultValue={answer?.because}
            />
          ) : null}
        </>
      }
    >
      <p>{copy.consequence(total)}</p>
      <ul className="flex flex-col gap-1 border-l-2 pl-3">
        {named.map(({ id, address, reason }) => (
          <li key={id} className="wrap-anywhere">
            <bdi className="font-mono text-xs">{address}</bdi>{" "}
            <span className="text-xs text-muted-foreground">{copy.reasons[reason]}</span>
          </li>
        ))}
        {total > named.length ? (
          <li className="text-muted-foreground">{copy.addPage.more(total - named.length)}</li>
        ) : null}
      </ul>
      {optedOut > 0 ? <p className="font-medium">{copy.optedOut(optedOut)}</p> : null}
    </ConfirmDialog>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
