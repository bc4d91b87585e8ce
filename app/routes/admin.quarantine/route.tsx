import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DataTable, timeColumn, type Column } from "~/components/data-table";
import { EmailAddress } from "~/components/email-address";
import { EmptyList } from "~/components/empty-list";
import { ExpandableText } from "~/components/expandable-text";
import { HiddenFields } from "~/components/hidden-fields";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SavedViews, SaveViewLink } from "~/components/saved-views";
import { NamedPeople, SelectionFields } from "~/components/question-parts";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Button } from "~/components/ui/button";
import { ToggleGroup, ToggleGroupItem } from "~/components/ui/toggle-group";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { tableMessages } from "~/content/lists";
import type { NoticeCode } from "~/content/notices";
import { quarantineMessages as copy } from "~/content/quarantine";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { linkTo, readPage, readPlace, toPageLinks, type ValuesOf } from "~/http/list-state";
import { quarantineList } from "~/http/lists/quarantine-list";
import { getActor } from "~/http/request-context.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { allValues, firstValues } from "~/lib/parse-form";
import { submissionText } from "~/lib/submission-text";
import { isUuid } from "~/lib/uuid";
import { paths } from "~/paths";
import { access, quarantine, savedViews, signups } from "~/services/container.server";
import { grouped } from "~/lib/format-number";
import { QUARANTINE_REASONS } from "~/lib/quarantine-reasons";

/** The selection of a whole page must fit into a URL, which holds 2 KB (hardening R17). */
const PAGE_SIZE = 40;
/** Submissions that a question names. */
const MAX_NAMED = 5;
const ACTIONS = ["release", "purge"] as const;

type QuarantineValues = ValuesOf<typeof quarantineList>;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

/**
 * `?form=` and `&reason=` filter, `&before=` and `&after=` are pages, `&id=` is selected, `&step=` asks before an
 * action on the selection or, with `&through=`, on all that match up to that id.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const search = new URL(request.url).searchParams;
  const { values, filter } = quarantineList.readLoosely(search);
  const selected = search.getAll("id").filter(isUuid);
  const [counts, views, page, [newest], question] = await Promise.all([
    quarantine.counts(),
    savedViews.list(operator, paths.quarantine),
    readPage(readPlace(search), PAGE_SIZE, (page) => quarantine.list(filter, page)),
    quarantine.list(filter, { limit: 1 }),
    getQuestion(search, selected),
  ]);
  return {
    values,
    counts,
    views,
    ...page,
    newest: newest && { id: newest.id, at: newest.created_at },
    selected,
    question,
    now: Date.now(),
  };
}

type QuarantineView = Awaited<ReturnType<typeof loader>>;

async function getQuestion(search: URLSearchParams, selected: string[]) {
  const { filter } = quarantineList.readLoosely(search);
  const action = ACTIONS.find((known) => known === search.get("step"));
  if (!action) return undefined;
  const through = search.get("through") ?? undefined;
  if (!through && selected.length === 0) throw reportOnList(search, "nothing-selected");
  const chosen = through ? { ...filter, through } : { ids: selected };
  const { counts, newest } = await quarantine.preview(chosen, MAX_NAMED);
  if (newest.length === 0) throw reportOnList(search, "already-settled");
  const mustConfirm = counts.some(({ kind }) => signups.needsConfirmation(kind));
  const consequence = action === "release" && mustConfirm ? ("release-unconfirmed" as const) : action;
  const named = newest.map(({ id, name, email }) => ({ id, name, email }));
  return { action, consequence, through, counts, named };
}

/** Reports on the list with the filter and at the place of a search. */
function reportOnList(search: URLSearchParams, notice?: NoticeCode, count?: number) {
  const { values } = quarantineList.readLoosely(search);
  return report(notice, paths.quarantine, { ...values, ...readPlace(search), count });
}

/** Releases or purges the selection or, with `through`, all that match up to that id. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const form = await readForm(request);
  const fields = firstValues(form);
  const { intent, through = "" } = fields;
  const search = new URLSearchParams(fields);
  const { filter } = quarantineList.readLoosely(search);
  const reportHere = (notice?: NoticeCode, count?: number) => reportOnList(search, notice, count);
  const change = ACTIONS.find((known) => known === intent);
  if (!change) return reportHere();
  const ids = allValues(form, "id");
  if (!through && ids.length === 0) return reportHere("nothing-selected");
  const chosen = through ? { ...filter, through } : { ids };
  const actor = getActor(request, operator);
  if (change === "purge") {
    const purged = await quarantine.purge(chosen, actor);
    return purged > 0 ? reportHere("purged", purged) : reportHere("already-settled");
  }
  const { count, unconfirmed } = await quarantine.release(chosen, actor);
  if (unconfirmed > 0) return reportHere("released-unconfirmed", unconfirmed);
  return count > 0 ? reportHere("released", count) : reportHere("already-settled");
}

export const clientAction = keepForm();

/** The Quarantine screen: an operator releases or purges submissions that look automated. */
export default function Quarantine() {
  const view = useLoaderData<typeof loader>();
  const { values, counts, newest } = view;
  const quarantined = countMatching(counts, {});
  const total = countMatching(counts, values);
  const saved = { list: paths.quarantine, values, views: view.views };
  const inert = useInert(view.question !== undefined);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={copy.title}
          state={quarantined > 0 ? copy.toReview(quarantined) : copy.nothingToReview}
          latest={
            newest && total === quarantined
              ? { text: copy.lastReceived, at: newest.at, now: view.now }
              : undefined
          }
        />
        <Notice className="mb-4" />
        <SavedViews {...saved} className="mb-3" />
        {quarantined > 0 ? (
          <div className="mb-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
            <Filters view={view} />
            <div className="flex flex-wrap items-center gap-2">
              <SaveViewLink {...saved} />
              <BulkActions view={view} total={total} />
            </div>
          </div>
        ) : null}
        <Submissions view={view} total={total} />
      </div>
      <Question view={view} />
    </>
  );
}

/** Asks before an action that cannot be undone, with counts and names. Closing it keeps the selection. */
function Question({ view: { values, place, selected, question } }: { view: QuarantineView }) {
  if (!question) return null;
  const { action, consequence, through, counts, named } = question;
  const total = countMatching(counts, {});
  const id = through ? [] : selected;
  const others = total > named.length ? copy.andMore(total - named.length) : undefined;
  return (
    <ConfirmDialog
      title={copy.question(copy[action], total)}
      closeTo={linkTo(paths.quarantine, { ...values, ...place, id })}
      // Posts to its own address, so that it stays when no answer comes.
      action={linkTo(paths.quarantine, { ...values, ...place, step: action, through, id })}
      intent={action}
      yes={copy[action]}
      no={copy.keep}
      isDestructive={action === "purge"}
      fields={
        <>
          <HiddenFields values={{ ...values, ...place }} />
          <SelectionFields through={through} selected={selected} />
        </>
      }
    >
      <p>
        {formatCounts(counts)} {copy.consequence[consequence]}
      </p>
      <NamedPeople named={named} others={others} />
      {through ? <p className="text-muted-foreground">{copy.arrivals}</p> : null}
    </ConfirmDialog>
  );
}

/** Returns "2 early access signups and 1 contact inquiry". */
function formatCounts(counts: QuarantineView["counts"]): string {
  const parts = SUBMISSION_KINDS.flatMap((kind) => {
    const count = countMatching(counts, { form: kind });
    return count > 0 ? copy.of[kind](count) : [];
  });
  return new Intl.ListFormat("en-GB").format(parts);
}

const [sender, form, text, reason, received] = copy.columns;

type Submission = QuarantineView["rows"][number];

/** Lists the quarantined submissions for selection. Releasing a selection needs no confirmation. */
function Submissions({ view, total }: { view: QuarantineView; total: number }) {
  const { values, place, rows, isFirst, next, now } = view;
  const columns: Column<Submission>[] = [
    { name: sender, width: "sm:w-[33%] md:w-[32%]", cell: (row) => <Sender row={row} /> },
    {
      name: form,
      width: "sm:w-28",
      className: "sm:max-md:hidden",
      card: "caption",
      cell: ({ kind }) => copy.forms[kind],
    },
    {
      name: text,
      card: (row) => (submissionText(row.kind, row) === "" ? "absent" : "line"),
      cell: (row) => <ExpandableText text={submissionText(row.kind, row)} />,
    },
    {
      name: reason,
      width: "sm:w-28 md:w-46",
      className: "text-muted-foreground",
      card: "caption",
      cell: (row) => <span>{row.reason ? copy.reasons[row.reason].cell : null}</span>,
    },
    timeColumn({ name: received, width: "sm:w-28 md:w-32", at: ({ created_at }) => created_at, now }),
  ];
  const hasPages = !isFirst || next !== undefined;
  return (
    <DataTable
      caption={copy.tableCaption}
      columns={columns}
      rows={rows}
      empty={<Empty view={view} total={total} />}
      emptyPage={<Empty view={view} total={total} />}
      selection={{
        action: linkTo(paths.quarantine, { ...values, ...place }),
        fields: { ...values, ...place },
        selected: view.selected,
        label: ({ name, email }) => copy.select(name || email),
        selectAll: copy.selectAll,
        buttons: (
          <>
            <IntentButton intent="release" size="xs">
              {copy.release}
            </IntentButton>
            <Button
              type="submit"
              formMethod="get"
              name="step"
              value="purge"
              variant="destructive"
              size="xs"
              data-delete
            >
              {copy.purge}
            </Button>
          </>
        ),
      }}
      paging={{
        title: copy.title,
        newestNoun: "entries",
        count: hasPages ? tableMessages.shown(rows.length, total) : undefined,
        ...toPageLinks(paths.quarantine, view, values),
      }}
    />
  );
}

function Sender({ row: { kind, name, email } }: { row: Submission }) {
  return (
    <div className="md:flex md:gap-2.5">
      <bdi
        title={name}
        className="line-clamp-2 font-medium md:line-clamp-1 md:max-w-[60%] md:shrink-0 md:break-all"
      >
        {name}
      </bdi>
      <EmailAddress address={email} />
      <p className="hidden text-xs text-muted-foreground sm:max-md:block">{copy.forms[kind]}</p>
    </div>
  );
}

/** Replaces the rows when there are none: says what appears here and how, or links to where there are some. */
function Empty({ view: { counts, values }, total }: { view: QuarantineView; total: number }) {
  if (countMatching(counts, {}) === 0) return <EmptyList title={copy.emptyTitle} description={copy.empty} />;
  if (total === 0)
    return <EmptyList title={copy.noMatch} action={{ to: paths.quarantine, name: copy.showAll }} />;
  const toNewest = { to: linkTo(paths.quarantine, values), name: tableMessages.toNewest };
  return <EmptyList title={tableMessages.noOlder} action={toNewest} />;
}

const ANY = ["", copy.any] as const;

/** Filters by form and by reason; each choice has its count under the other filter. */
function Filters({ view }: { view: QuarantineView }) {
  const forms = SUBMISSION_KINDS.map((kind) => [kind, copy.forms[kind]] as const);
  const reasons = QUARANTINE_REASONS.map((reason) => [reason, copy.reasons[reason].filter] as const);
  return (
    <div className="flex flex-col gap-x-8 gap-y-3 xl:flex-row">
      <Choice view={view} label={copy.filterByForm} field="form" choices={forms} />
      <Choice view={view} label={copy.filterByReason} field="reason" choices={reasons} />
    </div>
  );
}

function countMatching(
  counts: QuarantineView["counts"],
  { form, reason }: Partial<QuarantineValues>,
): number {
  return counts
    .filter((row) => (form || row.kind) === row.kind && (reason || row.reason) === row.reason)
    .reduce((sum, row) => sum + row.count, 0);
}

interface ChoiceProps {
  view: QuarantineView;
  label: string;
  field: keyof QuarantineValues;
  choices: readonly (readonly [value: string, name: string])[];
}

function Choice({ view: { values, counts }, label, field, choices }: ChoiceProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <span aria-hidden className="text-xs text-muted-foreground max-sm:w-full sm:w-32 xl:w-auto">
        {label}
      </span>
      <ToggleGroup asChild variant="outline" spacing={1}>
        <nav aria-label={label}>
          {[ANY, ...choices].map(([value, name]) => (
            <ToggleGroupItem key={value} asChild aria-current={values[field] === value ? "true" : undefined}>
              <Link to={linkTo(paths.quarantine, { ...values, [field]: value })} preventScrollReset>
                {name}
                <span className="tabular-nums">
                  {grouped(countMatching(counts, { ...values, [field]: value }))}
                </span>
              </Link>
            </ToggleGroupItem>
          ))}
        </nav>
      </ToggleGroup>
    </div>
  );
}

/** Actions on all that match up to the newest, on every page: both ask first. */
function BulkActions({ view: { values, place, newest }, total }: { view: QuarantineView; total: number }) {
  if (!newest) return null;
  const label = copy.allThatMatch(total);
  return (
    <div role="group" aria-label={label} className="flex items-center gap-2">
      <span aria-hidden className="text-xs text-muted-foreground tabular-nums">
        {label}
      </span>
      {ACTIONS.map((step) => (
        <ButtonLink
          key={step}
          to={linkTo(paths.quarantine, { ...values, ...place, through: newest.id, step })}
          preventScrollReset
          aria-label={copy.ask(copy[step], total)}
          variant={step === "purge" ? "destructive" : "outline"}
        >
          {copy[step]}
        </ButtonLink>
      ))}
    </div>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
