import type { ReactNode } from "react";
import { cn } from "~/lib/class-names";

type SelectableTableProps = {
  caption: string;
  /** The first one is of the checkboxes, and only heard. */
  columns: readonly string[];
  /** Classes for the columns' widths, in their order. */
  widths: readonly string[];
  /** `SelectableRow`s. */
  children: ReactNode;
};

/**
 * A table whose rows are selected: a table from sm on, below it the same rows as cards. The roles are written out, because a
 * table that is laid out as something else is none for those who hear it.
 */
export function SelectableTable({ caption, columns, widths, children }: SelectableTableProps) {
  return (
    <table role="table" className="w-full table-fixed text-left text-sm max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row" className="border-b bg-muted/60 text-2xs text-muted-foreground">
          {columns.map((name, column) => (
            <th
              key={name}
              role="columnheader"
              scope="col"
              className={cn("h-8 px-3 font-medium last:pr-4", widths[column])}
            >
              <span className={cn(column === 0 && "sr-only")}>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:block">
        {children}
      </tbody>
    </table>
  );
}

type SelectableRowProps = {
  /** What the form sends as `id` when it is selected. */
  id: string;
  isSelected: boolean;
  /** What is selected by it, for those who hear it. */
  label: string;
  /** Of the card, a grid below sm: its columns; then its lines, beside all of which the checkbox stands. */
  card: string;
  lines: string;
  /** `SelectableCell`s. */
  children: ReactNode;
};

export function SelectableRow({ id, isSelected, label, card, lines, children }: SelectableRowProps) {
  return (
    <tr
      role="row"
      className={cn(
        "border-b last:border-b-0 hover:bg-muted/60 has-checked:bg-primary-surface",
        "max-sm:grid max-sm:gap-x-2 max-sm:gap-y-1 max-sm:py-3 max-sm:pr-4",
        card,
      )}
    >
      <td role="cell" className={cn("align-top", lines)}>
        <label className="flex h-9 w-11 items-center justify-center max-sm:-mt-2 pointer-coarse:h-11">
          <input
            type="checkbox"
            name="id"
            value={id}
            defaultChecked={isSelected}
            className="size-4 accent-primary"
          />
          <span className="sr-only">{label}</span>
        </label>
      </td>
      {children}
    </tr>
  );
}

export function SelectableCell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td role="cell" className={cn("align-top wrap-anywhere sm:px-3 sm:py-2.5 md:py-2", className)}>
      {children}
    </td>
  );
}
