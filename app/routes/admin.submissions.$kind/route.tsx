import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { ChoiceField } from "~/components/choice-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DayFields } from "~/components/day-fields";
import { HiddenFields } from "~/components/hidden-fields";
import { keepForm } from "~/components/keep-form";
import { ListFilter } from "~/components/list-filter";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { NamedPeople, SelectionFields } from "~/components/question-parts";
import { TextField } from "~/components/text-field";
import { Timestamp } from "~/components/timestamp";
import { IntentButton } from "~/components/intent-button";
import { backOfficeTitle } from "~/content/brand";
import { submissionMessages as copy } from "~/content/submissions";
import { linkTo, toSearch } from "~/http/list-state";
import { capitalize } from "~/lib/capitalize";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import {
  CHOICES,
  type SubmissionFilter,
  type SubmissionSort,
} from "~/services/submissions/submission-filter";
import { isFiltered } from "./filter";
import { Kinds } from "./kinds";
import { Rows } from "./rows";
import { actOnSubmissions, getKind, getSubmissionsView, type SubmissionsView } from "./submissions.server";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const view = await getSubmissionsView(getKind(params), new URL(request.url).searchParams);
  return data(view, { status: view.errors ? 422 : 200 });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnSubmissions(request, getKind(params), person);
}

export const clientAction = keepForm();

/** The submissions of one form: search, filter, sort, deletion with undo, and export. */
export default function Submissions() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { kind, counts, rows, values, errors, after, next } = view;
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
            : copy.stored(kind, counts[kind])
        }
        actions={
          rows.length > 0 ? (
            <CsvDownloadForm
              action={`${paths.submissionsExport(kind)}?${search}`}
              isFiltered={isFiltered(values)}
            />
          ) : null
        }
      />
      <div className="flex flex-col gap-4">
        <Kinds counts={counts} unconfirmed={view.unconfirmed} />
        <ActionResult view={view} />
        <FilterForm key={`${kind}?${search}`} view={view} />
        <Rows view={view} />
        <RecentDeletions view={view} />
      </div>
      <Question view={view} wordError={answer?.wordError} />
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

/** Lists recent deletions that can be undone, by any operator; renders nothing when there are none. */
function RecentDeletions({ view }: { view: SubmissionsView }) {
  const { recent, now } = view;
  if (recent.length === 0) return null;
  return (
    <section aria-label={copy.recentTitle} className="rounded-lg border bg-card px-4 py-3">
      <h2 className="text-xs font-medium text-muted-foreground">{copy.recentTitle}</h2>
      <ul className="mt-1 divide-y">
        {recent.map(({ id, count, deleted_by, deleted_at }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-1.5">
            <p id={`deletion-${id}`} className="min-w-0 wrap-anywhere">
              {copy.recent(count, deleted_by)},{" "}
              <Timestamp at={deleted_at} now={now} className="text-muted-foreground" />
            </p>
            <Undo view={view} deletion={id} describedBy={`deletion-${id}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type UndoProps = {
  view: SubmissionsView;
  deletion: string;
  /** Id of the element that describes the deletion. */
  describedBy?: string;
};

/** Undoes a deletion. Loses nothing, so it needs no confirmation. */
function Undo({ view, deletion, describedBy }: UndoProps) {
  const { kind, values, after } = view;
  return (
    <Form method="post" action={paths.submissionTable(kind)}>
      <HiddenFields values={{ ...values, after }} />
      <input type="hidden" name="deletion" value={deletion} />
      <IntentButton intent="undo" aria-describedby={describedBy}>
        {copy.undo}
      </IntentButton>
    </Form>
  );
}

/** Asks before a deletion, with counts and names. Closing it keeps the selection. */
function Question({ view, wordError }: { view: SubmissionsView; wordError: string | undefined }) {
  const { kind, values, after, selected, question } = view;
  if (!question) return null;
  const { through, total, named, asksForWord } = question;
  const page = paths.submissionTable(kind);
  const isAll = !total.isMore && total.count <= named.length;
  return (
    <ConfirmDialog
      title={copy.question(total)}
      closeTo={linkTo(page, { ...values, after, id: through ? [] : selected })}
      // Posts to its own address, so that refusals are shown in the same place.
      action={through ? linkTo(page, { ...values, after, step: "delete", through }) : page}
      asksForInput={asksForWord}
      intent="delete"
      yes={copy.delete}
      no={copy.keep}
      isDestructive
      fields={
        <>
          <HiddenFields values={{ ...values, after }} />
          <SelectionFields through={through} selected={selected} />
          {asksForWord ? (
            <TextField
              label={copy.word}
              error={wordError}
              className="w-full pb-4"
              name="word"
              autoComplete="off"
              autoCapitalize="none"
            />
          ) : null}
        </>
      }
    >
      <p>
        {copy.these(total)} {copy.consequence}
      </p>
      <NamedPeople named={named} others={isAll ? undefined : copy.andMore(total, named.length)} />
      <p className="text-muted-foreground">
        {copy.campaignsContinue} {through ? copy.arrivals : null}
      </p>
    </ConfirmDialog>
  );
}

/** Filters by name or address, the form's own question, email consent and date, and sets the order. */
function FilterForm({ view: { kind, values, errors } }: { view: SubmissionsView }) {
  const field = (name: "choice" | "mail" | "sort") => ({ name, value: values[name], error: errors?.[name] });
  const hasChoice = CHOICES[kind].length > 0;
  return (
    <ListFilter
      label={copy.tableLabel(copy.forms[kind])}
      page={paths.submissionTable(kind)}
      values={values}
      className="md:grid-cols-4 xl:grid-cols-[minmax(0,2fr)_repeat(5,minmax(0,1fr))_auto]"
    >
      <TextField
        label={copy.searchLabel}
        error={errors?.q}
        className={cn("max-md:col-span-full", hasChoice ? "md:max-xl:col-span-2" : "md:max-xl:col-span-3")}
        type="search"
        name="q"
        defaultValue={values.q}
      />
      {hasChoice ? (
        <ChoiceField
          {...field("choice")}
          label={copy.choice[kind]}
          any={copy.any}
          choices={Object.fromEntries(CHOICES[kind].map((choice) => [choice, capitalize(choice)]))}
        />
      ) : null}
      <ChoiceField
        {...field("mail")}
        label={copy.mail}
        any={copy.any}
        choices={copy.emailStates(kind) satisfies Record<NonNullable<SubmissionFilter["emailState"]>, string>}
      />
      <DayFields values={values} errors={errors} />
      <ChoiceField
        {...field("sort")}
        label={copy.sort}
        choices={copy.sorts satisfies Record<SubmissionSort, string>}
      />
    </ListFilter>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
