import { Form, Link, useActionData, useLocation } from "@remix-run/react";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { EmptyPage } from "~/components/empty-list";
import { HiddenFields } from "~/components/hidden-fields";
import { toUnanswered } from "~/components/keep-form";
import { useIsRowOpen } from "~/components/list-detail";
import { PageLinks, type PageLinksProps } from "~/components/page-links";
import { Timestamp } from "~/components/timestamp";
import { Checkbox } from "~/components/ui/checkbox";
import {
  Table,
  TableBody,
  TableCaption,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "~/components/ui/table";
import { useHydrated } from "~/components/use-hydrated";
import { tableMessages } from "~/content/lists";
import { linkTo, toOrder, type Sorts, type UrlState } from "~/http/list-state";
import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";
import { truncate } from "~/lib/clean-text";

/** Longer texts than this may be truncated by their column, so the full text is in their title. */
const TRUNCATABLE_LENGTH = 12;

export interface Column<Row> {
  name: string;
  /** Strings are isolated in their direction and cut to one line, below md to two; an empty one is shown as none. */
  cell: (row: Row) => ReactNode;
  /** Class of the header, which gives the column its width ("sm:w-36"). */
  width?: string | undefined;
  /** Class of the header and the cells, such as where the column is hidden ("sm:max-md:hidden"). */
  className?: string | undefined;
  /** Below sm a row is a card: of lines (the default), lines with a label, and captions below; or the cell is absent. */
  card?: CardPart | ((row: Row) => CardPart);
  isHeaderHidden?: boolean;
  /** What its header sorts by, of the table's `sorting`; names of its own where it sorts by several. */
  sort?: string | readonly SortName[] | undefined;
}

type CardPart = "line" | "labelled" | "caption" | "absent";

interface TimeColumn<Row> extends Pick<Column<Row>, "name" | "width" | "sort"> {
  /** Epoch milliseconds, both. */
  at: (row: Row) => number;
  now: number;
}

/** A column of times, a caption below sm. */
export function timeColumn<Row>({ name, width, sort, at, now }: TimeColumn<Row>): Column<Row> {
  const cell = (row: Row) => <Timestamp at={at(row)} now={now} />;
  return { name, width, sort, className: "text-muted-foreground", card: "caption", cell };
}

/** Below sm a row is a card, whose lines are its cells; captions share the last line. */
const CARDS = [
  "max-sm:block max-sm:[&>tr]:relative max-sm:[&>tr]:flex max-sm:[&>tr]:flex-wrap",
  "max-sm:[&>tr]:gap-x-3 max-sm:[&>tr]:gap-y-1 max-sm:[&>tr]:px-4 max-sm:[&>tr]:py-3 max-sm:[&>tr>td]:p-0",
];

const CARD_PARTS: Record<CardPart, string> = {
  line: "max-sm:basis-full",
  labelled: "max-sm:grid max-sm:basis-full max-sm:grid-cols-[5rem_minmax(0,1fr)] max-sm:gap-x-3",
  caption: "max-sm:order-last max-sm:text-xs max-sm:text-muted-foreground",
  absent: "max-sm:hidden",
};

/** Rows are selected by checkboxes, each an `id` of one form. */
interface Selection<Row> {
  /**
   * The page's address with its filter and place, which stay when no answer comes. A button posts to it, or asks there
   * (`formMethod="get"`) with the form's fields instead.
   */
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
  /** As the loader returned it: another array means that the list was loaded again. */
  selected: readonly string[];
  label: (row: Row) => string;
  /** Label of the checkbox that selects all of this page; there is none when left out. */
  selectAll?: string;
  buttons: ReactNode;
  /** At the end of the list: what is done with all that match instead of the selection. */
  aside?: ReactNode;
}

interface SortName {
  by: string;
  name: string;
}

/** The order of a table, which its headers change. */
interface Sorting {
  path: string;
  sorts: Sorts;
  /** Of the URL: the filter, which stays, and the order. */
  values: UrlState & { sort: string; order: string };
}

interface Paging extends Omit<PageLinksProps, "title"> {
  /** Label of the page links, for screen readers; the table's caption when left out. */
  title?: string;
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  selection?: Selection<Row>;
  /** Makes links of the headers that sort. */
  sorting?: Sorting | undefined;
  paging?: Paging;
  note?: ReactNode;
  footer?: ReactNode;
  /** Replaces the rows of a list that has none. */
  empty: ReactNode;
  /** Replaces those of a later page that has become empty; left out: a link to the first page. */
  emptyPage?: ReactNode;
}

/** Lists rows: a table from sm on, cards below it, by CSS alone; with a selection in a form with a sticky toolbar. */
export function DataTable<Row extends { readonly id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, selection, paging, note, footer, empty } = props;
  if (rows.length === 0) {
    const first = paging?.first;
    return first === undefined ? empty : (props.emptyPage ?? <EmptyPage first={first} />);
  }
  const content = (
    <>
      {note ? <div className="border-b px-4 py-2.5 text-xs text-muted-foreground">{note}</div> : null}
      <Rows {...props} />
      {footer ? (
        <div className="flex flex-wrap justify-between gap-2 border-t px-4 py-2.5">{footer}</div>
      ) : null}
      {paging || selection?.aside ? (
        <div className="flex flex-wrap items-center gap-x-2 border-t px-4 py-2 empty:hidden">
          {paging ? <PageLinks title={caption} {...paging} className="min-w-0 flex-1" /> : null}
          {selection?.aside}
        </div>
      ) : null}
    </>
  );
  if (selection) return <SelectionForm selection={selection}>{content}</SelectionForm>;
  return (
    <section aria-label={caption} className="rounded-lg border bg-card">
      {content}
    </section>
  );
}

interface RowsProps<Row> extends Pick<
  DataTableProps<Row>,
  "caption" | "columns" | "rows" | "selection" | "sorting"
> {
  /** Below sm: cards as the columns say, cards whose lines are all labelled, or none because the table is hidden. */
  cards?: "own" | "labelled" | "none";
}

/** Roles are written out, because a table laid out as cards loses them. */
export function Rows<Row extends { readonly id: string }>(props: RowsProps<Row>) {
  const { caption, columns, rows, selection, sorting, cards = "own" } = props;
  const role = (name: string) => (cards === "none" ? undefined : name);
  return (
    <Table role={role("table")} className={cn("table-fixed", cards !== "none" && "max-sm:block")}>
      <TableCaption className="sr-only">{caption}</TableCaption>
      <TableHeader role={role("rowgroup")} className={sorting ? "max-sm:block" : "max-sm:sr-only"}>
        <TableRow
          role={role("row")}
          className={cn(
            "bg-muted/60",
            sorting && "max-sm:relative max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:px-4",
          )}
        >
          {selection ? (
            <TableHead
              role={role("columnheader")}
              scope="col"
              className={cn("w-11 p-0 print:hidden", sorting && "max-sm:sr-only")}
            >
              <span className="sr-only">{tableMessages.select}</span>
              {selection.selectAll === undefined ? null : (
                <SelectAll label={selection.selectAll} isLabelHidden className="max-sm:hidden" />
              )}
            </TableHead>
          ) : null}
          {columns.map((column) => (
            <Head key={column.name} column={column} role={role("columnheader")} sorting={sorting} />
          ))}
        </TableRow>
      </TableHeader>
      <TableBody
        role={role("rowgroup")}
        className={cn(
          "wrap-anywhere sm:[&>tr>td:last-child]:pr-4",
          selection ? undefined : "sm:[&>tr>td:first-child]:pl-4",
          cards !== "none" && CARDS,
          // Leaves room for the checkbox.
          cards !== "none" && selection && "max-sm:[&>tr]:pl-11",
        )}
      >
        {rows.map((row) => (
          <TableRow key={row.id} role={role("row")}>
            {selection ? (
              <TableCell
                role={role("cell")}
                className="p-0 max-sm:absolute max-sm:top-1 max-sm:left-0 sm:pt-1 md:p-0 print:hidden"
              >
                <label className="flex h-9 w-11 items-center justify-center sm:h-8.75 pointer-coarse:h-11">
                  <Checkbox name="id" value={row.id} defaultChecked={selection.selected.includes(row.id)} />
                  <span className="sr-only">{selection.label(row)}</span>
                </label>
              </TableCell>
            ) : null}
            {columns.map((column) => (
              <Cell
                key={column.name}
                column={column}
                row={row}
                role={role("cell")}
                isLabelled={cards === "labelled"}
              />
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  role: string | undefined;
  sorting: Sorting | undefined;
}

/** Below sm only the headers that sort are shown, as a line above the cards. */
function Head<Row>({ column, role, sorting }: HeadProps<Row>) {
  const { name, width, className, isHeaderHidden, sort } = column;
  const sorts = typeof sort === "string" ? [{ by: sort, name }] : (sort ?? []);
  if (!sorting || sorts.length === 0) {
    return (
      <TableHead
        role={role}
        scope="col"
        className={cn("first:pl-4 last:pr-4", width, className, sorting && "max-sm:sr-only")}
      >
        {isHeaderHidden ? <span className="sr-only">{name}</span> : name}
      </TableHead>
    );
  }
  const order = toOrder(sorting.sorts, sorting.values);
  const isSorted = sorts.some(({ by }) => by === order.sort);
  return (
    <TableHead
      role={role}
      scope="col"
      aria-sort={isSorted ? (order.direction === "asc" ? "ascending" : "descending") : undefined}
      className={cn(
        "first:pl-4 last:pr-4 max-sm:block max-sm:h-auto max-sm:w-auto max-sm:px-0!",
        width,
        className,
      )}
    >
      <span className="flex gap-x-3">
        {sorts.map(({ by, name }) => (
          <SortLink key={by} by={by} name={name} sorting={sorting} />
        ))}
      </span>
    </TableHead>
  );
}

/** Sorts by a column; pressed again, the other way round. */
function SortLink({ by, name, sorting: { path, sorts, values } }: SortName & { sorting: Sorting }) {
  const order = toOrder(sorts, values);
  const isDefault = by === toOrder(sorts, {}).sort;
  const isSorted = by === order.sort;
  const first = sorts[by];
  const next = isSorted ? (order.direction === "asc" ? "desc" : "asc") : first;
  const Icon = !isSorted ? ChevronsUpDown : order.direction === "asc" ? ArrowUp : ArrowDown;
  return (
    <Link
      to={linkTo(path, { ...values, sort: isDefault ? "" : by, order: next === first ? "" : next })}
      preventScrollReset
      className={cn(
        "-mx-1 inline-flex h-8 min-w-0 items-center gap-1 rounded-sm px-1 hover:text-foreground pointer-coarse:h-11",
        isSorted && "text-foreground",
      )}
    >
      <span className="truncate">{name}</span>
      <Icon aria-hidden className={cn("size-3.5 shrink-0", isSorted ? "text-primary" : "opacity-60")} />
    </Link>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  role: string | undefined;
  /** True when the table itself says that all cells are labelled. */
  isLabelled: boolean;
}

function Cell<Row>({ column, row, role, isLabelled }: CellProps<Row>) {
  const { name, cell, className, card = "line" } = column;
  const part = isLabelled ? "labelled" : typeof card === "function" ? card(row) : card;
  const value = cell(row);
  const content = typeof value === "string" ? <CellText text={value} /> : value;
  return (
    <TableCell role={role} className={cn(CARD_PARTS[part], className)}>
      {part === "labelled" ? (
        <>
          <span aria-hidden className="text-xs leading-5 text-muted-foreground sm:hidden">
            {name}
          </span>
          <div className="min-w-0">{content}</div>
        </>
      ) : (
        content
      )}
    </TableCell>
  );
}

/** Returns the whole of a text that its column may truncate. */
export function toTooltip(text: string): string | undefined {
  return text.length > TRUNCATABLE_LENGTH ? text : undefined;
}

/**
 * A line is cut between any two letters: after a word it would leave room that the text has use for.
 * @param limit in graphemes; the whole text when left out
 */
export function CellText({ text, limit }: { text: string; limit?: number }) {
  if (text === "") return <NoValue>none</NoValue>;
  return (
    <bdi title={toTooltip(text)} className="line-clamp-2 md:line-clamp-1 md:break-all">
      {limit === undefined ? text : truncate(text, limit)}
    </bdi>
  );
}

/** A dash, which CSS writes, with words for screen readers. */
export function NoValue({ children }: { children: string }) {
  return (
    <span className="text-muted-foreground before:content-['–'_/_'']">
      <span className="sr-only">{children}</span>
    </span>
  );
}

function SelectionForm<Row>({ selection, children }: { selection: Selection<Row>; children: ReactNode }) {
  // A new location for which the list was loaded again makes a new form. Not one that opens a row beside the list, or follows a
  // form on that row's page; and a form that got no answer keeps its own.
  const { key } = useLocation();
  const { selected } = selection;
  const isUnanswered = toUnanswered(useActionData()) !== undefined;
  const isRowOpen = useIsRowOpen();
  const [form, setForm] = useState({ key, selected, number: 0 });
  const isNewLocation = form.key !== key && !isUnanswered;
  if (isNewLocation || (form.key === key && form.selected !== selected)) {
    const isNewForm = isNewLocation && !isRowOpen && form.selected !== selected;
    setForm({ key, selected, number: isNewForm ? form.number + 1 : form.number });
  }
  return <FormOfSelection key={form.number} selection={selection} content={children} />;
}

type FormOfSelectionProps<Row> = { selection: Selection<Row>; content: ReactNode };

function FormOfSelection<Row>({ selection, content }: FormOfSelectionProps<Row>) {
  const { action, fields, selected, selectAll, buttons } = selection;
  const [count, setCount] = useState(selected.length);
  const form = useRef<HTMLFormElement>(null);
  const countSelected = useCallback(() => {
    const boxes = [...(form.current?.querySelectorAll<HTMLInputElement>("input[name=id]") ?? [])];
    const checked = boxes.filter((box) => box.checked).length;
    setCount(checked);
    for (const all of form.current?.querySelectorAll<HTMLInputElement>("input[data-select-all]") ?? []) {
      all.checked = checked === boxes.length;
      all.indeterminate = checked > 0 && checked < boxes.length;
    }
  }, []);
  // The list was read again: a selected row may have left it.
  useEffect(countSelected, [countSelected, selected]);
  return (
    <Form
      ref={form}
      onInput={countSelected}
      method="post"
      action={action}
      preventScrollReset
      data-print="yes"
      className="group/list relative rounded-lg border bg-card"
    >
      {/* Enter on a checkbox presses the form's first button: this one only keeps the selection. */}
      <button type="submit" formMethod="get" hidden aria-hidden tabIndex={-1} />
      <HiddenFields values={fields} />
      {/* Without JavaScript a line of its own. With it, from sm on, over the header while rows are selected: nothing moves. */}
      <div className="sticky top-12 z-10 sm:not-noscript:h-0 print:hidden">
        <div
          role="group"
          aria-label={tableMessages.selected}
          className={cn(
            "flex h-8 items-center gap-2 rounded-t-lg border-b bg-card px-3 max-sm:min-h-11 pointer-coarse:h-12 noscript:h-11",
            "sm:not-noscript:ml-11 sm:not-noscript:hidden sm:not-noscript:rounded-tl-none sm:not-noscript:px-0",
            "sm:not-noscript:group-has-[[name=id]:checked]/list:flex",
            "max-sm:gap-1 max-sm:px-2 max-sm:[&_button]:px-1.5 max-sm:not-noscript:not-group-has-[[name=id]:checked]/list:[&_button]:hidden",
          )}
        >
          {selectAll === undefined ? (
            <span
              aria-hidden
              className="text-xs text-muted-foreground group-has-[[name=id]:checked]/list:hidden sm:hidden noscript:hidden"
            >
              {tableMessages.noneSelected}
            </span>
          ) : (
            <SelectAll label={selectAll} className="mr-auto sm:hidden" />
          )}
          <span aria-hidden className="hidden text-xs text-muted-foreground noscript:sm:inline">
            {tableMessages.selected}
          </span>
          <output className="text-xs font-medium noscript:hidden">
            {count > 0 ? (
              <>
                {grouped(count)}
                <span className="max-sm:sr-only"> {tableMessages.selectedRows}</span>
              </>
            ) : null}
          </output>
          {buttons}
        </div>
      </div>
      {content}
    </Form>
  );
}

type SelectAllProps = { label: string; isLabelHidden?: boolean; className?: string };

/** Selects or deselects every `id` of its form. Needs JavaScript; its space is reserved, so that nothing moves. */
function SelectAll({ label, isLabelHidden = false, className }: SelectAllProps) {
  const hydrated = useHydrated();
  return (
    <label
      className={cn(
        "flex items-center text-xs text-muted-foreground noscript:hidden",
        isLabelHidden ? "h-8 w-11 justify-center" : "min-h-9 gap-3 pl-1 pointer-coarse:min-h-11",
        hydrated ? undefined : "invisible",
        className,
      )}
    >
      <Checkbox
        data-select-all
        onChange={({ currentTarget: { checked, form } }) => {
          const boxes = form?.querySelectorAll<HTMLInputElement>("input[name=id]") ?? [];
          for (const box of boxes) box.checked = checked;
        }}
      />
      <span className={isLabelHidden ? "sr-only" : "max-sm:group-has-[[name=id]:checked]/list:sr-only"}>
        {label}
      </span>
    </label>
  );
}
