import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { CellText, Rows, type Column } from "~/components/data-table";
import { PageLinks } from "~/components/page-links";
import { Badge } from "~/components/ui/badge";
import { tableMessages } from "~/content/lists";
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
  /** The URL parameter, and the id after which the next page begins (undefined on the last page). */
  paging?: { parameter: string; older: string | undefined; isNewest: boolean };
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
      <details open className="hidden sm:block">
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
      </details>
      <details open={startsOpen} className="sm:hidden">
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
      </details>
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
    <summary className="disclosure panel-head">
      <h2>{title}</h2>
      <Badge variant="secondary" className="ml-auto tabular-nums">
        {formatCount(total, "entry", "entries")}
      </Badge>
    </summary>
  );
}

type PagesProps<Row> = TablePanelProps<Row> & Required<Pick<TablePanelProps<Row>, "paging">>;

function Pages<Row>({ id, title, rows, total, paging }: PagesProps<Row>) {
  const [search] = useSearchParams();
  if (paging.isNewest && paging.older === undefined) return null;
  const linkTo = (before: string) => {
    const next = new URLSearchParams(search);
    next.delete("notice");
    next.delete(paging.parameter);
    if (before) next.set(paging.parameter, before);
    return `?${next}#${id}`;
  };
  return (
    <PageLinks
      title={title}
      count={tableMessages.shown(rows.length, total)}
      newest={paging.isNewest ? undefined : linkTo("")}
      older={paging.older === undefined ? undefined : linkTo(paging.older)}
      className="border-t px-4 py-2.5"
    />
  );
}
