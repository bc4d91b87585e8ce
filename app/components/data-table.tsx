import { useSearchParams } from "@remix-run/react";
import { ChevronRight } from "~/components/icons";
import type { ReactElement, ReactNode } from "react";
import { Paging } from "~/components/paging";
import { Badge } from "~/components/ui/badge";
import { cn } from "~/lib/class-names";
import { truncate } from "~/lib/clean-text";
import { operatorMessages } from "~/content/operator-messages";

/** Specification, section 9. */
const LAST_COLUMN_LIMIT = 50;
const CARD_VALUE_LIMIT = 80;
const CARDS = 5;
/** From here on a value may be cut by its column, so that its whole text is in its title. */
const MAY_NOT_FIT = 24;

/** Text is cut, isolated from its surroundings' direction and shown; an element stands as it is. */
export type Cell = string | ReactElement;
interface Row {
  id: string;
  cells: readonly Cell[];
}

type DataTableProps = {
  /** Of the panel, for links to it. */
  id: string;
  title: string;
  headers: readonly string[];
  /** Classes for the columns' widths, in the order of the headers. */
  widths?: readonly string[];
  /** The column that says whom or what a row is about; the first when left out. */
  subject?: number;
  rows: readonly Row[];
  /** How many entries there are on all pages. */
  total: number;
  /** Stands where the rows would: what will be here, and how it gets here. */
  empty: ReactNode;
  /** Ids for the URL's parameter: undefined where there is no such page. "" is the newest page. */
  paging?: { parameter: string; older: string | undefined; newest: "" | undefined };
  /** A link to where there is more to do with these rows; stands below them. */
  more?: ReactNode;
  /** On small screens too the panel starts open: for a page whose work is this table. */
  startsOpen?: boolean;
};

/**
 * A collapsible table panel (specification, section 2): the full table from sm on and denser from md on, below sm a collapsed panel with the
 * number of entries and at most five cards. Both are in the page and CSS shows one, so that it needs no JavaScript.
 */
export function DataTable(props: DataTableProps) {
  const { id, title, rows, empty, total, more, startsOpen = false, paging } = props;
  const body = rows.length === 0 ? <div className="border-t px-4 py-10 text-center">{empty}</div> : null;
  return (
    <section id={id} aria-label={title} className="scroll-mt-16 rounded-lg border bg-surface">
      <details open className="group hidden sm:block">
        <PanelHead title={title} total={total} />
        {body ?? <WideTable {...props} />}
        {paging ? <OtherPages {...paging} id={id} title={title} shown={rows.length} total={total} /> : null}
        {more ? <p className="border-t px-4 py-2.5 text-xs">{more}</p> : null}
      </details>
      <details open={startsOpen || rows.length === 0} className="group sm:hidden">
        <PanelHead title={title} total={total} />
        {body ?? <Cards {...props} />}
        {more ? <p className="border-t px-4 py-3 text-xs">{more}</p> : null}
      </details>
    </section>
  );
}

function PanelHead({ title, total }: { title: string; total: number }) {
  return (
    <summary className="flex h-12 items-center gap-2 rounded-lg px-4 select-none hover:bg-muted/60">
      <ChevronRight
        aria-hidden
        className="-ml-1 size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-90"
      />
      <h2 className="min-w-0 truncate text-sm font-semibold">{title}</h2>
      <Badge className="ml-auto tabular-nums">
        {total.toLocaleString("en")} {total === 1 ? "entry" : "entries"}
      </Badge>
    </summary>
  );
}

function WideTable({ title, headers, widths = [], subject = 0, rows }: DataTableProps) {
  return (
    <table className="w-full table-fixed border-t border-border text-left text-sm">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr className="border-b bg-muted/60 text-2xs text-muted-foreground">
          {headers.map((header, column) => (
            <th
              key={header}
              scope="col"
              className={cn("h-8 px-3 font-medium first:pl-4 last:pr-4", widths[column])}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="border-b last:border-b-0 hover:bg-muted/60">
            {row.cells.map((cell, column) => (
              <td
                key={headers[column]}
                className={cn(
                  "h-11 px-3 py-1.5 first:pl-4 last:pr-4 md:h-9",
                  column === subject && "font-medium",
                )}
              >
                <CellText cell={cell} limit={column === headers.length - 1 ? LAST_COLUMN_LIMIT : undefined} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CellText({ cell, limit }: { cell: Cell; limit: number | undefined }) {
  if (typeof cell !== "string") return cell;
  if (cell === "") return <None />;
  return (
    <div className="line-clamp-2 wrap-anywhere" title={cell.length > MAY_NOT_FIT ? cell : undefined}>
      <bdi>{limit ? truncate(cell, limit) : cell}</bdi>
    </div>
  );
}

function Cards({ headers, subject = 0, rows, total }: DataTableProps) {
  const shown = rows.slice(0, CARDS);
  return (
    <>
      <ul className="divide-y border-t">
        {shown.map((row) => (
          <li key={row.id} className="px-4 py-3">
            <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
              {row.cells.map((cell, column) => (
                <div
                  key={headers[column]}
                  className={cn("col-span-2 grid grid-cols-subgrid", column === subject && "font-medium")}
                >
                  <dt className="text-xs leading-5 font-normal text-muted-foreground">{headers[column]}</dt>
                  <dd className="wrap-anywhere">
                    {typeof cell !== "string" ? (
                      cell
                    ) : cell === "" ? (
                      <None />
                    ) : (
                      <bdi>{truncate(cell, CARD_VALUE_LIMIT)}</bdi>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
      {total > shown.length ? (
        <p className="border-t px-4 py-3 text-xs text-muted-foreground">
          {operatorMessages.table.more(total - shown.length)}
        </p>
      ) : null}
    </>
  );
}

function None() {
  return (
    <span className="text-muted-foreground">
      <span aria-hidden>–</span>
      <span className="sr-only">none</span>
    </span>
  );
}

type OtherPagesProps = NonNullable<DataTableProps["paging"]> & {
  id: string;
  title: string;
  shown: number;
  total: number;
};

function OtherPages({ id, parameter, ...paging }: OtherPagesProps) {
  const [search] = useSearchParams();
  const linkTo = (before: string) => {
    const next = new URLSearchParams(search);
    next.delete("notice");
    next.delete(parameter);
    if (before) next.set(parameter, before);
    return { search: next.toString(), hash: `#${id}` };
  };
  return <Paging {...paging} linkTo={linkTo} />;
}
