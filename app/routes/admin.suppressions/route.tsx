import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ChoiceField } from "~/components/choice-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { type Column, DataTable, NoValue, timeColumn, toTooltip } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { Plus } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { ListFilter, SearchField } from "~/components/list-filter";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { PersonLink } from "~/components/person-link";
import { SelectionFields } from "~/components/question-parts";
import type { ListViews } from "~/components/saved-views";
import { TextField } from "~/components/text-field";
import { ListLink } from "~/components/text-link";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { suppressionMessages as copy } from "~/content/suppressions";
import { linkTo, toPageLinks, toSearch, withoutOrder } from "~/http/list-state";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import { access, savedViews } from "~/services/container.server";
import { isOptOut, SUPPRESSION_SORTS } from "~/services/suppressions/suppression-reasons";
import { actOnSuppressions, getSuppressionsView, type SuppressionsView } from "./suppressions.server";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const [view, views] = await Promise.all([
    getSuppressionsView(new URL(request.url).searchParams),
    savedViews.list(operator, paths.suppressions),
  ]);
  return { ...view, views };
}

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnSuppressions(request, operator);
}

export const clientAction = keepForm();

/** The Suppressions screen: the addresses that get no emails, with reason and date, and their release. */
export default function Suppressions() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { values, rows, isFirst, now } = view;
  const inert = useInert(view.question !== undefined);
  const search = toSearch(withoutOrder(values));
  const [newest] = rows;
  // The newest page of the list without a filter.
  const isWhole = toSearch(values) === "" && isFirst;
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={copy.title}
          state={copy.state}
          latest={newest && isWhole ? { text: copy.lastAdded, at: newest.at, now } : undefined}
          actions={
            <>
              {rows.length > 0 ? (
                <CsvDownloadForm
                  action={`${paths.suppressionsExport}?${search}`}
                  isFiltered={search !== ""}
                />
              ) : null}
              <ButtonLink to={paths.suppressionsAdd} variant="default">
                <Plus aria-hidden />
                {copy.add}
              </ButtonLink>
            </>
          }
        />
        <Notice className="mb-4" />
        <div className="flex flex-col gap-3">
          {isWhole && rows.length === 0 ? null : <FilterForm view={view} views={view.views} />}
          <Addresses view={view} />
        </div>
      </div>
      <Question view={view} answer={answer} />
    </>
  );
}

type QuestionProps = { view: SuppressionsView; answer: ReturnType<typeof useActionData<typeof action>> };

/** Says which addresses are released, and asks; asks for a reason too where a person had opted out. */
function Question({ view: { values, place, selected, question }, answer }: QuestionProps) {
  if (!question) return null;
  const { total, optedOut, named } = question;
  return (
    <ConfirmDialog
      title={copy.question(total)}
      closeTo={linkTo(paths.suppressions, { ...values, ...place, id: selected })}
      action={linkTo(paths.suppressions, { ...values, ...place, step: "release", id: selected })}
      intent="release"
      yes={copy.release}
      no={copy.keep}
      isDestructive={optedOut > 0}
      asksForInput={optedOut > 0}
      fields={
        <>
          <SelectionFields selected={selected} />
          {optedOut > 0 ? (
            <TextField
              label={copy.because}
              hint={copy.becauseHint}
              error={answer?.error}
              required
              name="because"
              maxLength={toMaxLength(200)}
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

const [address, reason, sentWith, at] = copy.columns;

type Row = SuppressionsView["rows"][number];

/** Lists the suppressed addresses for selection. */
function Addresses({ view }: { view: SuppressionsView }) {
  const { values, place, rows, now } = view;
  const columns: Column<Row>[] = [
    {
      name: address,
      width: "sm:w-[34%] md:w-[30%]",
      sort: "address",
      cell: (row) => (
        <span className="block font-mono text-xs leading-5">
          <PersonLink id={row.person}>{row.address}</PersonLink>
        </span>
      ),
    },
    { name: reason, cell: (row) => <Reason row={row} /> },
    {
      name: sentWith,
      width: "sm:w-[22%]",
      className: "text-muted-foreground",
      card: ({ campaign }) => (campaign ? "caption" : "absent"),
      cell: ({ campaign }) => <Campaign campaign={campaign} />,
    },
    timeColumn({ name: at, sort: "added", width: "sm:w-32", at: (row) => row.at, now }),
  ];
  return (
    <DataTable
      caption={copy.tableCaption}
      columns={columns}
      rows={rows}
      empty={<Empty view={view} />}
      selection={{
        action: paths.suppressions,
        fields: { ...values, ...place },
        selected: view.selected,
        label: (row) => copy.select(row.address),
        buttons: (
          <Button
            type="submit"
            formMethod="get"
            name="step"
            value="release"
            variant="outline"
            size="xs"
            data-delete
          >
            {copy.release}
          </Button>
        ),
      }}
      sorting={{ path: paths.suppressions, sorts: SUPPRESSION_SORTS, values }}
      paging={{
        title: copy.title,
        newestNoun: values.sort || values.order ? undefined : copy.entries,
        count: copy.shown(rows.length),
        ...toPageLinks(paths.suppressions, view, values),
      }}
    />
  );
}

function Reason({ row: { reason, optedOut, detail } }: { row: Row }) {
  return (
    <div className="md:flex md:gap-2">
      <span className="md:shrink-0">{copy.reasons[reason]}</span>
      {optedOut && !isOptOut(reason) ? (
        <Badge
          variant="warning"
          className="inline-block max-w-full truncate leading-4.5 max-sm:ml-2 sm:max-md:block"
        >
          {copy.optedOutToo}
        </Badge>
      ) : null}
      {detail ? (
        <bdi
          title={toTooltip(detail)}
          className="line-clamp-3 text-xs text-muted-foreground md:line-clamp-1 md:leading-5 md:break-all"
        >
          {detail}
        </bdi>
      ) : null}
    </div>
  );
}

function Campaign({ campaign }: Pick<Row, "campaign">) {
  if (!campaign) return <NoValue>{copy.noCampaign}</NoValue>;
  return (
    <ListLink to={paths.outreachCampaign(campaign.id)} className="underline-offset-2">
      <bdi title={campaign.title} className="line-clamp-2 md:line-clamp-1 md:break-all">
        {campaign.title || copy.untitled}
      </bdi>
    </ListLink>
  );
}

/** Replaces the addresses when there are none: says what appears here and why, or links to where there are some. */
function Empty({ view: { values } }: { view: SuppressionsView }) {
  if (toSearch(withoutOrder(values)) === "")
    return <EmptyList title={copy.emptyTitle} description={copy.empty} />;
  return <EmptyList title={copy.noMatch} action={{ to: paths.suppressions, name: copy.showAll }} />;
}

/** Filters by the start of the address and by reason. */
function FilterForm({ view: { values }, views }: { view: SuppressionsView } & Pick<ListViews, "views">) {
  return (
    <ListFilter
      label={copy.filter}
      page={paths.suppressions}
      values={values}
      saved={{ list: paths.suppressions, values, views }}
      button="outline"
    >
      <SearchField
        label={copy.search}
        name="prefix"
        maxLength={100}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        defaultValue={values.prefix}
      />
      <ChoiceField
        name="reason"
        label={copy.reason}
        value={values.reason}
        choices={copy.reasons}
        any={copy.any}
      />
    </ListFilter>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
