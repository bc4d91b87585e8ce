import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { HiddenFields } from "~/components/hidden-fields";
import { PageLinks } from "~/components/page-links";
import type { PageLinksProps } from "~/components/page-links";
import { useHydrated } from "~/components/use-hydrated";
import { cn } from "~/lib/class-names";
import { truncate } from "~/lib/clean-text";

/** From here on a value may be cut by its column, so that its whole text is in its title. */
const MAY_NOT_FIT = 24;

export interface Column<Row> {
  name: string;
  /** A string is isolated from its surroundings' direction and shortened to two lines; an empty one is said to be none. */
  cell: (row: Row) => ReactNode;
  /** Of its header and its cells from sm on: its width, and where it makes room ("w-36 sm:max-md:hidden"). */
  className?: string;
  /**
   * Below sm, where each row is a card. line: a line of its own, the default. labelled: a line after the column's name. caption: a small
   * word below the lines, beside the others. absent: nothing, as where it would be empty.
   */
  card?: CardPart | ((row: Row) => CardPart);
  /** Its header is only heard. */
  isHeaderHidden?: boolean;
}

type CardPart = "line" | "labelled" | "caption" | "absent";

const CARD_PARTS: Record<CardPart, string> = {
  line: "max-sm:basis-full",
  labelled: "max-sm:grid max-sm:basis-full max-sm:grid-cols-[5rem_minmax(0,1fr)] max-sm:gap-x-3",
  caption: "max-sm:order-last max-sm:text-xs max-sm:text-muted-foreground",
  absent: "max-sm:hidden",
};

/** Rows are selected by checkboxes, each an `id` of one form. */
interface Selection<Row> {
  /** The page: a button of the form asks there (`formMethod="get"`), or posts to it. */
  action: string;
  /** What else of the page's URL the form carries. */
  fields: Readonly<Record<string, string | undefined>>;
  /** The ids that the URL says are selected. */
  selected: readonly string[];
  /** What is selected with a row, for those who hear it. */
  label: (row: Row) => string;
  /** Of the checkbox for all of this page; there is none when left out. */
  selectAll?: string;
  /** Of the checkboxes' column, which is only heard. */
  header: string;
  /** What the buttons are about: "Selected". */
  group: string;
  /** Submit buttons: what can be done with the selected rows. */
  buttons: ReactNode;
  /** Stands at the other end of the toolbar. */
  aside?: ReactNode;
}

interface Paging extends Omit<PageLinksProps, "title"> {
  /** What the pages are of, for those who hear it; the table's caption when left out. */
  title?: string;
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  selection?: Selection<Row>;
  paging?: Paging;
  /** Stands above the rows. */
  note?: ReactNode;
  /** Stands below the rows. */
  footer?: ReactNode;
  /** Stands in place of the whole when there are no rows. */
  empty: ReactNode;
}

/**
 * A list of things: a table from sm on, denser from md on, and below sm the same rows as cards, by CSS alone. With a selection it is a
 * form whose toolbar stays in sight. The list's filter, order and page are the URL's (app/http/list-state.ts).
 */
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
    <section aria-label={caption} className="rounded-lg border bg-surface">
      {content}
    </section>
  );
}

/** The rows alone. The roles are written out, because a table that is laid out as something else is none for those who hear it. */
export function Rows<Row extends { readonly id: string }>({
  caption,
  columns,
  rows,
  selection,
}: Pick<DataTableProps<Row>, "caption" | "columns" | "rows" | "selection">) {
  return (
    <table role="table" className="w-full table-fixed text-left text-sm max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row" className="border-b bg-muted/60 text-2xs text-muted-foreground">
          {selection ? (
            <th role="columnheader" scope="col" className="w-11">
              <span className="sr-only">{selection.header}</span>
            </th>
          ) : null}
          {columns.map(({ name, className, isHeaderHidden }) => (
            <th
              key={name}
              role="columnheader"
              scope="col"
              className={cn("h-8 px-3 font-medium first:pl-4 last:pr-4", className)}
            >
              <span className={cn(isHeaderHidden && "sr-only")}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={row.id}
            role="row"
            className={cn(
              "border-b last:border-b-0 hover:bg-muted/60 has-checked:bg-primary-surface",
              "max-sm:relative max-sm:flex max-sm:flex-wrap max-sm:gap-[0.25rem_0.75rem] max-sm:px-4 max-sm:py-3",
              selection && "max-sm:pl-11",
            )}
          >
            {selection ? (
              <td
                role="cell"
                className="align-top max-sm:absolute max-sm:top-1 max-sm:left-0 sm:pt-1 md:pt-0"
              >
                <label className="flex h-9 w-11 items-center justify-center pointer-coarse:h-11">
                  <input
                    type="checkbox"
                    name="id"
                    value={row.id}
                    defaultChecked={selection.selected.includes(row.id)}
                    className="size-4 accent-primary"
                  />
                  <span className="sr-only">{selection.label(row)}</span>
                </label>
              </td>
            ) : null}
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { name, cell, className, card = "line" } = column;
  const part = typeof card === "function" ? card(row) : card;
  const value = cell(row);
  const content = typeof value === "string" ? <CellText text={value} /> : value;
  return (
    <td
      role="cell"
      className={cn(
        "align-top wrap-anywhere sm:px-3 sm:py-3 sm:first:pl-4 sm:last:pr-4 md:py-2",
        CARD_PARTS[part],
        className,
      )}
    >
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
    </td>
  );
}

/** @param limit in graphemes; all of it when left out */
export function CellText({ text, limit }: { text: string; limit?: number }) {
  if (text === "") {
    return (
      <span className="text-muted-foreground">
        <span aria-hidden>–</span>
        <span className="sr-only">none</span>
      </span>
    );
  }
  return (
    <div className="line-clamp-2" title={text.length > MAY_NOT_FIT ? text : undefined}>
      <bdi>{limit === undefined ? text : truncate(text, limit)}</bdi>
    </div>
  );
}

function SelectionForm<Row>({ selection, children }: { selection: Selection<Row>; children: ReactNode }) {
  const { action, fields, selectAll, group, buttons, aside } = selection;
  // What was done or asked makes a new form: what is selected is what the URL says.
  const { key } = useLocation();
  return (
    <Form
      key={key}
      method="post"
      action={action}
      preventScrollReset
      className="relative rounded-lg border bg-surface"
    >
      {/* Enter on a checkbox presses the form's first button: this one only keeps what is selected. */}
      <button type="submit" formMethod="get" hidden aria-hidden tabIndex={-1} />
      <HiddenFields values={fields} />
      <div className="sticky top-12 z-10 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-t-lg border-b bg-surface px-3 py-2">
        {selectAll === undefined ? null : <SelectAll label={selectAll} />}
        <div role="group" aria-label={group} className="flex items-center gap-2">
          <span aria-hidden className="text-xs text-muted-foreground max-sm:hidden">
            {group}
          </span>
          {buttons}
        </div>
        {aside}
      </div>
      {children}
    </Form>
  );
}

/**
 * Selects or deselects every `id` of its form: nothing is lost without it, so it comes with JavaScript. Its place is kept from the
 * start, or what stands beside it would move away under a pointer.
 */
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
