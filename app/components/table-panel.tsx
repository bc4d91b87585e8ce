import type { ReactNode } from "react";
import { CellText, Rows, type Column } from "~/components/data-table";
import { PageLinks } from "~/components/page-links";
import { Badge } from "~/components/ui/badge";
import { Collapsible, CollapsibleIcon, CollapsibleTrigger } from "~/components/ui/collapsible";
import { useLinkHere } from "~/components/use-link-here";
import { tableMessages } from "~/content/lists";
import type { PageOfList, Place } from "~/http/list-state";
import { formatCount } from "~/lib/format-number";

/** Specification, section 9. */
const LAST_COLUMN_LIMIT = 50;
const CARD_VALUE_LIMIT = 80;
const CARDS = 5;

interface TablePanelProps<Row> {
  id: string;
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Number of entries on all pages. */
  total: number;
  empty: ReactNode;
  /** The pages beside this one; `parameters` are the names that this table's `before` and `after` have in the URL. */
  paging?: Pick<PageOfList<Row>, "isFirst" | "previous" | "next"> & {
    parameters: Record<keyof Place, string>;
  };
  more?: ReactNode;
  /** True when the panel starts open on small screens too: for a page whose main content is this table. */
  startsOpen?: boolean;
}

/** A collapsible table (specification, section 2), or below sm at most five cards; CSS shows one of the two. */
export function TablePanel<Row extends { readonly id: string }>(props: TablePanelProps<Row>) {
  const { id, title, columns, rows, empty, total, more, startsOpen = false } = props;
  const cards = rows.slice(0, CARDS);
  const lastColumn = columns.at(-1);
  const nothing = rows.length === 0 ? <div className="border-t px-4 py-10 text-center">{empty}</div> : null;
  return (
    <section id={id} aria-label={title} className="scroll-mt-16 rounded-lg border bg-card">
      <Collapsible open className="hidden sm:block">
        <PanelHead title={title} total={total} />
        {nothing ?? (
          <div className="border-t">
            <Rows
              cards="none"
              caption={title}
              columns={columns.map((column) =>
                column === lastColumn ? truncate(column, LAST_COLUMN_LIMIT) : column,
              )}
              rows={rows}
            />
          </div>
        )}
        {props.paging ? <Pages {...props} paging={props.paging} /> : null}
        {more ? <p className="border-t px-4 py-2.5 text-xs">{more}</p> : null}
      </Collapsible>
      <Collapsible open={startsOpen} className="sm:hidden">
        <PanelHead title={title} total={total} />
        {nothing ?? (
          <div className="border-t">
            <Rows
              cards="labelled"
              caption={title}
              columns={columns.map((column) => truncate(column, CARD_VALUE_LIMIT))}
              rows={cards}
            />
          </div>
        )}
        {cards.length > 0 && total > cards.length ? (
          <p className="border-t px-4 py-3 text-xs text-muted-foreground">
            {tableMessages.more(total - cards.length)}
          </p>
        ) : null}
        {more ? <p className="border-t px-4 py-3 text-xs">{more}</p> : null}
      </Collapsible>
    </section>
  );
}

function truncate<Row>(column: Column<Row>, limit: number): Column<Row> {
  const cell = (row: Row) => {
    const content = column.cell(row);
    return typeof content === "string" ? <CellText text={content} limit={limit} /> : content;
  };
  return { ...column, cell };
}

function PanelHead({ title, total }: { title: string; total: number }) {
  return (
    <CollapsibleTrigger className="h-12 rounded-lg px-4 hover:bg-muted/60">
      <CollapsibleIcon className="-ml-1" />
      <h2 className="min-w-0 truncate text-sm font-semibold">{title}</h2>
      <Badge variant="secondary" className="ml-auto tabular-nums">
        {formatCount(total, "entry", "entries")}
      </Badge>
    </CollapsibleTrigger>
  );
}

type PagesProps<Row> = TablePanelProps<Row> & Required<Pick<TablePanelProps<Row>, "paging">>;

function Pages<Row>({ id, title, rows, total, paging }: PagesProps<Row>) {
  const linkHere = useLinkHere();
  const { isFirst, previous, next, parameters } = paging;
  if (isFirst && next === undefined) return null;
  const linkTo = ({ before, after }: Place) =>
    linkHere(id, { [parameters.before]: before, [parameters.after]: after });
  return (
    <PageLinks
      title={title}
      count={tableMessages.shown(rows.length, total)}
      newestNoun="entries"
      first={isFirst ? undefined : linkTo({})}
      previous={previous && linkTo(previous)}
      next={next && linkTo(next)}
      className="border-t px-4 py-2.5"
    />
  );
}
