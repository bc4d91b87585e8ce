import { ChoiceField } from "~/components/choice-field";
import { DataTable, NoValue, timeColumn, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { Link } from "~/components/link";
import { ListFilter } from "~/components/list-filter";
import { PersonLink } from "~/components/person-link";
import { TextField } from "~/components/text-field";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { tableMessages } from "~/content/lists";
import { suppressionMessages as copy } from "~/content/suppressions";
import { linkTo, toPageLinks, toSearch } from "~/http/list-state";
import { paths } from "~/paths";
import { isOptOut } from "~/services/suppressions/suppression-reasons";
import type { SuppressionsView, SuppressionValues } from "./suppressions.server";

const [select, address, reason, sentWith, at] = copy.columns;

type Row = SuppressionsView["rows"][number];

/** Lists the suppressed addresses for selection. */
export function Addresses({ view }: { view: SuppressionsView }) {
  const { values, before, rows, now } = view;
  const columns: Column<Row>[] = [
    {
      name: address,
      width: "sm:w-[34%] md:w-[30%]",
      cell: (row) => (
        <span className="font-mono text-xs leading-5">
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
    timeColumn({ name: at, width: "sm:w-29 md:w-32", at: (row) => row.at, now }),
  ];
  return (
    <DataTable
      caption={copy.tableCaption}
      columns={columns}
      rows={rows}
      empty={<Empty view={view} />}
      selection={{
        action: paths.suppressions,
        fields: { ...values, before },
        selected: view.selected,
        label: (row) => copy.select(row.address),
        header: select,
        group: copy.selected,
        buttons: (
          <Button type="submit" formMethod="get" name="step" value="release" variant="secondary" size="dense">
            {copy.release}
          </Button>
        ),
      }}
      paging={{
        title: copy.title,
        entries: copy.entries,
        count: copy.shown(rows.length),
        ...toPageLinks(paths.suppressions, view, values),
      }}
    />
  );
}

function Reason({ row: { reason, optedOut, detail } }: { row: Row }) {
  return (
    <>
      {copy.reasons[reason]}
      {optedOut && !isOptOut(reason) ? (
        <Badge variant="warning" className="ml-2">
          {copy.optedOutToo}
        </Badge>
      ) : null}
      {detail ? <bdi className="line-clamp-3 text-xs text-muted-foreground">{detail}</bdi> : null}
    </>
  );
}

function Campaign({ campaign }: Pick<Row, "campaign">) {
  if (!campaign) return <NoValue>{copy.noCampaign}</NoValue>;
  return (
    <Link to={paths.outreachCampaign(campaign.id)} className="link">
      <bdi className="line-clamp-2">{campaign.title || copy.untitled}</bdi>
    </Link>
  );
}

/** Replaces the addresses when there are none: says what appears here and why, or links to where there are some. */
function Empty({ view: { values, before } }: { view: SuppressionsView }) {
  if (before) {
    const toNewest = { to: linkTo(paths.suppressions, values), name: tableMessages.toNewest };
    return <EmptyList title={tableMessages.noOlder} then={toNewest} />;
  }
  if (toSearch(values) === "") return <EmptyList title={copy.emptyTitle} then={copy.empty} />;
  return <EmptyList title={copy.noMatch} then={{ to: paths.suppressions, name: copy.showAll }} />;
}

/** Filters by the start of the address and by reason. */
export function FilterForm({ values }: { values: SuppressionValues }) {
  return (
    <ListFilter
      label={copy.filter}
      page={paths.suppressions}
      isFiltered={toSearch(values) !== ""}
      button="secondary"
      className="md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto]"
    >
      <TextField
        label={copy.search}
        className="max-sm:col-span-full"
        type="search"
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
        className="max-sm:col-span-full"
      />
    </ListFilter>
  );
}
