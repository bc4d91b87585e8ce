import { CellText, DataTable, timeColumn, type Column } from "~/components/data-table";
import { EmptyList } from "~/components/empty-list";
import { PersonCell } from "~/components/person-cell";
import { SuppressionBadge } from "~/components/suppression-badge";
import { audienceMessages } from "~/content/audiences";
import { filterMessages, tableMessages } from "~/content/lists";
import { peopleMessages as copy } from "~/content/people";
import { linkTo, toPageLinks } from "~/http/list-state";
import { isFiltered } from "~/http/lists/people-list";
import { paths } from "~/paths";
import { PEOPLE_SORTS } from "~/services/people/people-filter";
import type { PeopleView } from "./people.server";

const { columns: names } = copy;

type Person = PeopleView["rows"][number];

/** A page of the list. */
export function Rows({ view }: { view: PeopleView }) {
  const { rows, values, total, now } = view;
  return (
    <DataTable
      caption={copy.tableLabel}
      columns={listColumns(now, view.hasWaves)}
      rows={rows}
      empty={<Empty view={view} />}
      emptyPage={<Empty view={view} />}
      note={view.isTooCommon ? copy.tooCommon : undefined}
      sorting={{ path: paths.people, sorts: PEOPLE_SORTS, values }}
      paging={{
        title: copy.title,
        count: copy.shown(rows.length, total),
        ...toPageLinks(paths.people, view, values),
      }}
    />
  );
}

/** @param hasWaves whether there is anybody of whom the invitation can be told. */
const listColumns = (now: number, hasWaves: boolean): Column<Person>[] => [
  {
    name: names.person,
    width: "sm:w-[40%] md:w-[38%] lg:w-[33%] beside:w-auto",
    sort: [
      { by: "name", name: names.name },
      { by: "address", name: names.address },
    ],
    cell: ({ id, name, email }) => <PersonCell name={name} email={email} to={paths.person(id)} isBeside />,
  },
  {
    name: names.company,
    className: "beside:hidden",
    sort: "company",
    card: ({ company }) => (company === "" ? "absent" : "labelled"),
    cell: ({ company }) => <CellText text={company} />,
  },
  {
    name: names.role,
    width: "md:w-24",
    className: "sm:max-md:hidden beside:hidden",
    card: ({ role }) => (role === "" ? "absent" : "labelled"),
    cell: ({ role }) => role,
  },
  {
    name: names.forms,
    width: "sm:w-32 lg:w-36 xl:w-44",
    className: "text-muted-foreground beside:hidden",
    card: "caption",
    cell: ({ forms }) => forms.map((kind) => copy.forms[kind]).join(", ") || copy.noForms,
  },
  {
    name: names.emailStatus,
    width: "lg:w-32",
    className: "sm:max-lg:hidden text-muted-foreground beside:hidden",
    card: ({ suppression, confirmed_at }) => (suppression || confirmed_at ? "caption" : "absent"),
    cell: ({ suppression, confirmed_at }) => {
      if (suppression) return <SuppressionBadge reason={suppression} />;
      return confirmed_at === null ? "" : copy.confirmedStates.yes;
    },
  },
  ...(hasWaves ? [INVITATION] : []),
  timeColumn({
    name: names.first,
    sort: "first",
    width: "sm:w-32",
    at: ({ first_seen_at }) => first_seen_at,
    now,
  }),
];

const INVITATION: Column<Person> = {
  name: audienceMessages.invitation,
  width: "xl:w-32",
  className: "sm:max-xl:hidden text-muted-foreground beside:hidden",
  card: ({ wave_state }) => (wave_state === "waiting" ? "absent" : "caption"),
  cell: ({ wave_state }) => audienceMessages.invitations[wave_state],
};

/** Replaces the rows when there are none: says why, and what to do about it. */
function Empty({ view: { values, errors, isFirst } }: { view: PeopleView }) {
  if (errors) return <EmptyList title={filterMessages.wrong} description={filterMessages.wrongText} />;
  if (!isFirst) {
    const toFirst = { to: linkTo(paths.people, values), name: tableMessages.toFirst };
    return <EmptyList title={copy.noMore} description={copy.noMoreText} action={toFirst} />;
  }
  if (isFiltered(values)) {
    const showAll = { to: paths.people, name: copy.showAll };
    const advice = values.q === "" ? copy.noMatchText : copy.notFoundText;
    return <EmptyList title={copy.noMatch} description={advice} action={showAll} />;
  }
  const importPeople = { to: paths.peopleImports, name: copy.importPeople };
  return <EmptyList title={copy.empty} description={copy.emptyText} action={importPeople} />;
}
