import type { ReactNode } from "react";
import { cn } from "~/lib/class-names";

type TickedTableProps = {
  caption: string;
  /** The first one is of the tick boxes, and only heard. */
  columns: readonly string[];
  /** Classes for the columns' widths, in their order. */
  widths: readonly string[];
  /** Rows with `TICKED_ROW`. */
  children: ReactNode;
};

/** A table whose rows are ticked, below sm a list of cards: the same markup, and roles where CSS takes the table's away. */
export function TickedTable({ caption, columns, widths, children }: TickedTableProps) {
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

type TickCellProps = {
  /** What the form sends as `id` when it is ticked. */
  id: string;
  ticked: boolean;
  /** What is ticked by it, for those who hear it. */
  label: string;
  className: string;
};

/** A row's first cell; as a card it stands beside all others. */
export function TickCell({ id, ticked, label, className }: TickCellProps) {
  return (
    <td role="cell" className={cn("align-top", className)}>
      <label className="flex h-9 w-11 items-center justify-center max-sm:-mt-2 pointer-coarse:h-11">
        <input
          type="checkbox"
          name="id"
          value={id}
          defaultChecked={ticked}
          className="size-4 accent-primary"
        />
        <span className="sr-only">{label}</span>
      </label>
    </td>
  );
}

/** A row; as a card it is a grid, whose columns are the screen's own. */
export const TICKED_ROW = [
  "border-b last:border-b-0 hover:bg-muted/60 has-checked:bg-primary-surface",
  "max-sm:grid max-sm:gap-x-2 max-sm:gap-y-1 max-sm:py-3 max-sm:pr-4",
];
