import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { useId } from "react";
import { ChoiceField } from "~/components/choice-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DayFields } from "~/components/day-fields";
import { HiddenFields } from "~/components/hidden-fields";
import { keepForm } from "~/components/keep-form";
import { ListDetail, useIsRowOpen } from "~/components/list-detail";
import { ListFilter, SearchField } from "~/components/list-filter";
import { Notice, useNotice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { NamedPeople, SelectionFields } from "~/components/question-parts";
import type { ListViews } from "~/components/saved-views";
import { SinceVisit } from "~/components/submissions/since-visit";
import { TableTabs } from "~/components/submissions/table-tabs";
import { TextField } from "~/components/text-field";
import { RecentDeletions } from "~/components/recent-deletions";
import { UndoButton } from "~/components/undo-button";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { inquiryMessages } from "~/content/inquiries";
import { personMessages } from "~/content/person";
import { submissionMessages as copy } from "~/content/submissions";
import { readListSearch } from "~/http/list-detail";
import { linkTo, toSearch } from "~/http/list-state";
import { isFiltered } from "~/http/lists/submissions-list";
import { seeOther } from "~/http/redirects.server";
import { getSubmissionKind } from "~/http/submission-kind.server";
import { capitalize } from "~/lib/capitalize";
import { utcMinute } from "~/lib/utc-minute";
import { paths } from "~/paths";
import { access, alerts, savedViews, visits } from "~/services/container.server";
import { CHOICES } from "~/lib/form-fields";
import type { InquiryState, SubmissionFilter } from "~/services/submissions/submission-filter";
import { Rows } from "./rows";
import { actOnSubmissions, getSubmissionsView, type SubmissionsView } from "./submissions.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

/** `?since=last-visit` is an address to keep: it leads to what is new at each time. */
const LAST_VISIT = "last-visit";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { accountId, timeZone } = operator;
  const kind = getSubmissionKind(params);
  const searchParams = readListSearch(request, params);
  // Before the list is read: what comes later is told.
  if (kind === "contact-form") await alerts.open(accountId, "inquiry");
  const newSince = await visits.look(accountId);
  if (searchParams.get("since") === LAST_VISIT) {
    searchParams.set("since", newSince === undefined ? "" : utcMinute(newSince));
    throw seeOther(linkTo(paths.submissionTable(kind), Object.fromEntries(searchParams)));
  }
  const [view, views] = await Promise.all([
    getSubmissionsView(kind, searchParams, { timeZone, newSince }),
    savedViews.list(operator, paths.submissionTable(kind)),
  ]);
  return data({ ...view, views }, { status: view.errors ? 422 : 200 });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnSubmissions(request, getSubmissionKind(params), operator);
}

export const clientAction = keepForm();

export { shouldReloadList as shouldRevalidate } from "~/http/list-detail";

/** The submissions of one form: search, filter, sort, deletion with undo, and export; a person opens beside them. */
export default function Submissions() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { kind, counts, rows, values, errors, isFirst, next } = view;
  // All matches are on this page, or their number is known.
  const matching = isFirst && next === undefined ? rows.length : view.total;
  const search = toSearch(values);
  const isRowOpen = useIsRowOpen();
  const inert = useInert(view.question !== undefined);
  const top = (
    <>
      <PageHeader
        title={copy.title}
        state={
          <>
            {isFiltered(values) && !errors && matching !== undefined
              ? copy.matching(kind, matching, counts[kind])
              : copy.stored(kind, counts[kind])}{" "}
            <SinceVisit
              page={paths.submissionTable(kind)}
              values={values}
              newSince={view.newSince}
              newCount={view.newCount}
            />
          </>
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
      <div className="mb-2 flex flex-col gap-2">
        <TableTabs counts={counts} unconfirmed={view.unconfirmed} />
        {isRowOpen ? null : <ActionResult view={view} />}
        <FilterForm key={kind} view={view} views={view.views} />
      </div>
    </>
  );
  return (
    <>
      <div {...inert}>
        <ListDetail top={top}>
          <div className="flex flex-col gap-2">
            <Rows view={view} />
            <RecentDeletions
              title={copy.recentTitle}
              deletions={view.recent}
              now={view.now}
              describe={({ count, deleted_by }) => copy.recent(count, deleted_by)}
              renderUndo={({ id }, describedBy) => (
                <Undo view={view} deletion={id} describedBy={describedBy} />
              )}
            />
          </div>
        </ListDetail>
      </div>
      <Question view={view} wordError={answer?.wordError} />
    </>
  );
}

/** Shows the result of the last form; a deletion with its undo button. */
function ActionResult({ view }: { view: SubmissionsView }) {
  const [search] = useSearchParams();
  const deletion = search.get("deletion");
  const deleted = view.recent.find(({ id }) => id === deletion);
  const canUndo = useNotice() === "submissions-deleted" && deleted !== undefined;
  return (
    <Notice count={deleted?.count}>
      {canUndo ? (
        <div className="mt-2">
          <Undo view={view} deletion={deleted.id} takesFocus />
        </div>
      ) : null}
    </Notice>
  );
}

type UndoProps = {
  view: SubmissionsView;
  deletion: string;
  /** Id of the element that describes the deletion. */
  describedBy?: string;
  /** True for the deletion that the page reports: the button gets the focus. */
  takesFocus?: boolean;
};

/** Undoes a deletion. */
function Undo({ view, deletion, describedBy, takesFocus = false }: UndoProps) {
  const { kind, values, place } = view;
  return (
    <Form method="post" action={linkTo(paths.submissionTable(kind), { ...values, ...place })}>
      <HiddenFields values={{ ...values, ...place }} />
      <input type="hidden" name="deletion" value={deletion} />
      <UndoButton aria-describedby={describedBy} takesFocus={takesFocus}>
        {copy.undo}
      </UndoButton>
    </Form>
  );
}

/** Asks before a deletion, with counts and names. Closing it keeps the selection. */
function Question({ view, wordError }: { view: SubmissionsView; wordError: string | undefined }) {
  const { kind, values, place, selected, question } = view;
  if (!question) return null;
  const { through, total, named, asksForWord, copies } = question;
  const page = paths.submissionTable(kind);
  const id = through ? [] : selected;
  const isAll = !total.isMore && total.count <= named.length;
  return (
    <ConfirmDialog
      title={copy.question(total)}
      closeTo={linkTo(page, { ...values, ...place, id })}
      // Posts to its own address, so that a refusal, or that no answer came, is shown in the same place.
      action={linkTo(page, { ...values, ...place, step: "delete", through, id })}
      asksForInput={asksForWord}
      intent="delete"
      yes={copy.delete}
      no={copy.keep}
      isDestructive
      fields={
        <>
          <HiddenFields values={{ ...values, ...place }} />
          <SelectionFields through={through} selected={selected} />
          {asksForWord ? (
            <TextField
              label={copy.word}
              error={wordError}
              name="word"
              autoComplete="off"
              autoCapitalize="none"
            />
          ) : null}
        </>
      }
    >
      <p>
        {copy.these(total)} {copy.consequence} {copies ? personMessages.copies[copies] : null}
      </p>
      <NamedPeople named={named} others={isAll ? undefined : copy.andMore(total, named.length)} />
      <p className="text-muted-foreground">
        {copy.campaignsContinue} {through ? copy.arrivals : null}
      </p>
    </ConfirmDialog>
  );
}

type FilterFormProps = { view: SubmissionsView } & Pick<ListViews, "views">;

/** Filters by name, address or an inquiry's text, the form's own question, email status, an inquiry's status, source and date. */
function FilterForm({ view: { kind, values, errors, suggestedSources }, views }: FilterFormProps) {
  const field = (name: "choice" | "mail" | "status") => ({
    name,
    value: values[name],
    error: errors?.[name],
  });
  const hasChoice = CHOICES[kind].length > 0;
  // In the line where the form has no question of its own.
  const emailState = (
    <ChoiceField
      {...field("mail")}
      label={copy.mail}
      any={copy.any}
      choices={copy.emailStates(kind) satisfies Record<NonNullable<SubmissionFilter["emailState"]>, string>}
    />
  );
  return (
    <ListFilter
      label={copy.tableLabel(copy.forms[kind])}
      page={paths.submissionTable(kind)}
      values={values}
      saved={{ list: paths.submissionTable(kind), values, views }}
      moreNames={hasChoice ? ["mail", "source", "from", "to"] : ["source", "from", "to"]}
      isMoreOpen={Boolean(errors?.from || errors?.to || (hasChoice && errors?.mail))}
      more={
        <>
          {hasChoice ? emailState : null}
          <SourceField value={values.source} suggested={suggestedSources} />
          <DayFields values={values} errors={errors} />
        </>
      }
    >
      {/* Set by a link beside the title, so nobody could correct a wrong one. */}
      <HiddenFields values={{ since: errors?.since ? "" : values.since }} />
      <SearchField label={copy.searchLabel(kind)} error={errors?.q} name="q" defaultValue={values.q} />
      {hasChoice ? (
        <ChoiceField
          {...field("choice")}
          label={copy.choice[kind]}
          any={copy.any}
          choices={Object.fromEntries(CHOICES[kind].map((choice) => [choice, capitalize(choice)]))}
          className="min-w-36"
        />
      ) : (
        emailState
      )}
      {kind === "contact-form" ? (
        <ChoiceField
          {...field("status")}
          label={inquiryMessages.status}
          any={inquiryMessages.any}
          choices={inquiryMessages.states satisfies Record<InquiryState, string>}
        />
      ) : null}
    </ListFilter>
  );
}

interface SourceFieldProps {
  value: string;
  /** The sources of most submissions; any other can be typed. */
  suggested: readonly string[];
}

function SourceField({ value, suggested }: SourceFieldProps) {
  const list = useId();
  return (
    <>
      <TextField
        label={copy.source}
        name="source"
        list={list}
        defaultValue={value}
        autoComplete="off"
        autoCapitalize="none"
      />
      <datalist id={list}>
        {suggested.map((source) => (
          <option key={source} value={source} />
        ))}
      </datalist>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
