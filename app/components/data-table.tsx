import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { HiddenFields } from "~/components/hidden-fields";
import { PageLinks, type PageLinksProps } from "~/components/page-links";
import { Timestamp } from "~/components/timestamp";
import { useHydrated } from "~/components/use-hydrated";
import { tableMessages } from "~/content/lists";
import { cn } from "~/lib/utils";
import { truncate } from "~/lib/clean-text";

/** Texts of at least this length may be truncated by their column, so the full text is in their title. */
const TRUNCATABLE_LENGTH = 24;

export interface Column<Row> {
  name: string;
  /** Strings are isolated in their direction and cut to two lines; an empty one is shown as none. */
  cell: (row: Row) => ReactNode;
  /** Class of the header, which gives the column its width ("sm:w-36"). */
  width?: string | undefined;
  /** Class of the header and the cells, such as where the column is hidden ("sm:max-md:hidden"). */
  className?: string | undefined;
  /** Below sm a row is a card: of lines (the default), lines with a label, and captions below; or the cell is absent. */
  card?: CardPart | ((row: Row) => CardPart);
  isHeaderHidden?: boolean;
}

type CardPart = "line" | "labelled" | "caption" | "absent";

interface TimeColumn<Row> extends Pick<Column<Row>, "name" | "width"> {
  /** Epoch milliseconds, both. */
  at: (row: Row) => number;
  now: number;
}

/** A column of times, a caption below sm. */
export function timeColumn<Row>({ name, width, at, now }: TimeColumn<Row>): Column<Row> {
  const cell = (row: Row) => <Timestamp at={at(row)} now={now} />;
  return { name, width, className: "text-muted-foreground", card: "caption", cell };
}

const CARD_PARTS: Partial<Record<CardPart, string>> = {
  labelled: "labelled-cell",
  caption: "caption-cell",
  absent: "max-sm:hidden",
};

const TABLE_LOOKS = { own: "max-sm:block", labelled: "labelled-cards max-sm:block", none: "" };

/** Rows are selected by checkboxes, each an `id` of one form. */
interface Selection<Row> {
  /** The page's address: a button asks there (`formMethod="get"`) or posts to it. */
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
  selected: readonly string[];
  label: (row: Row) => string;
  /** Label of the checkbox that selects all of this page; there is none when left out. */
  selectAll?: string;
  buttons: ReactNode;
  aside?: ReactNode;
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
  paging?: Paging;
  note?: ReactNode;
  footer?: ReactNode;
  empty: ReactNode;
}

/** Lists rows: a table from sm on, cards below it, by CSS alone; with a selection in a form with a sticky toolbar. */
export function DataTable<Row extends { readonly id: string }>(props: DataTableProps<Row>) {
  const { caption, rows, selection, paging, note, footer, empty } = props;
  if (rows.length === 0) return empty;
  const content = (
    <>
      {note ? <div className="border-b px-4 py-2.5 text-xs text-muted-foreground">{note}</div> : null}
      <Rows {...props} />
      {footer ? (
        <div className="flex flex-wrap justify-between gap-2 border-t px-4 py-2.5">{footer}</div>
      ) : null}
      {paging ? <PageLinks title={caption} {...paging} className="border-t px-4 py-2.5" /> : null}
    </>
  );
  if (selection) return <SelectionForm selection={selection}>{content}</SelectionForm>;
  return (
    <section aria-label={caption} className="rounded-lg border bg-card">
      {content}
    </section>
  );
}

interface RowsProps<Row> extends Pick<DataTableProps<Row>, "caption" | "columns" | "rows" | "selection"> {
  /** Below sm: cards as the columns say, cards whose lines are all labelled, or none because the table is hidden. */
  cards?: "own" | "labelled" | "none";
}

/** Roles are written out, because a table laid out as cards loses them. Its look is in back-office.css. */
export function Rows<Row extends { readonly id: string }>(props: RowsProps<Row>) {
  const { caption, columns, rows, selection, cards = "own" } = props;
  const role = (name: string) => (cards === "none" ? undefined : name);
  return (
    <table role={role("table")} className={cn("data-table", TABLE_LOOKS[cards])}>
      <caption className="sr-only">{caption}</caption>
      <thead role={role("rowgroup")}>
        <tr role={role("row")}>
          {selection ? (
            <th role={role("columnheader")} scope="col" className="w-11">
              <span className="sr-only">{tableMessages.select}</span>
            </th>
          ) : null}
          {columns.map(({ name, width, className, isHeaderHidden }) => (
            <th
              key={name}
              role={role("columnheader")}
              scope="col"
              className={cn(width, className) || undefined}
            >
              {isHeaderHidden ? <span className="sr-only">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role={role("rowgroup")}>
        {rows.map((row) => (
          <tr key={row.id} role={role("row")}>
            {selection ? (
              <td role={role("cell")} className="choice-cell">
                <label>
                  <input
                    type="checkbox"
                    name="id"
                    value={row.id}
                    defaultChecked={selection.selected.includes(row.id)}
                  />
                  <span className="sr-only">{selection.label(row)}</span>
                </label>
              </td>
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
          </tr>
        ))}
      </tbody>
    </table>
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
  const part = isLabelled ? "line" : typeof card === "function" ? card(row) : card;
  const value = cell(row);
  const content = typeof value === "string" ? <CellText text={value} /> : value;
  return (
    <td role={role} className={cn(CARD_PARTS[part], className) || undefined}>
      {isLabelled || part === "labelled" ? (
        <>
          <span aria-hidden>{name}</span>
          <div>{content}</div>
        </>
      ) : (
        content
      )}
    </td>
  );
}

/** Returns the whole of a text that its column may truncate. */
export function toTooltip(text: string): string | undefined {
  return text.length > TRUNCATABLE_LENGTH ? text : undefined;
}

/** @param limit in graphemes; the whole text when left out */
export function CellText({ text, limit }: { text: string; limit?: number }) {
  if (text === "") return <NoValue>none</NoValue>;
  return <bdi title={toTooltip(text)}>{limit === undefined ? text : truncate(text, limit)}</bdi>;
}

/** A dash, which CSS writes, with words for screen readers. */
export function NoValue({ children }: { children: string }) {
  return (
    <span className="no-value">
      <span className="sr-only">{children}</span>
    </span>
  );
}

function SelectionForm<Row>({ selection, children }: { selection: Selection<Row>; children: ReactNode }) {
  const { action, fields, selectAll, buttons, aside } = selection;
  // A new location makes a new form, so that the selection is always the URL's.
  const { key } = useLocation();
  return (
    <Form
      key={key}
      method="post"
      action={action}
      preventScrollReset
      className="relative rounded-lg border bg-card"
    >
      {/* Enter on a checkbox presses the form's first button: this one only keeps the selection. */}
      <button type="submit" formMethod="get" hidden aria-hidden tabIndex={-1} />
      <HiddenFields values={fields} />
      <div className="sticky top-12 z-10 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-t-lg border-b bg-card px-3 py-2">
        {selectAll === undefined ? null : <SelectAll label={selectAll} />}
        <div role="group" aria-label={tableMessages.selected} className="flex items-center gap-2">
          <span aria-hidden className="text-xs text-muted-foreground max-sm:hidden">
            {tableMessages.selected}
          </span>
          {buttons}
        </div>
        {aside}
      </div>
      {children}
    </Form>
  );
}

/** Selects or deselects every `id` of its form. Needs JavaScript; its space is reserved, so that nothing moves. */
function SelectAll({ label }: { label: string }) {
  const hydrated = useHydrated();
  return (
    <label
      className={cn(
        "flex min-h-9 items-center gap-3 pl-1 text-xs text-muted-foreground pointer-coarse:min-h-11 noscript:hidden",
        hydrated ? undefined : "invisible",
      )}
    >
      <input
        type="checkbox"
        className="size-4 accent-primary"
        onChange={({ currentTarget: { checked, form } }) => {
          for (const box of form?.querySelectorAll<HTMLInputElement>("input[name=id]") ?? []) {
            box.checked = checked;
          }
        }}
      />
      {label}
    </label>
  );
}
