import { Link } from "@remix-run/react";
import { tableMessages } from "~/content/lists";

type ExactNumbersProps<Row extends { name: string }> = {
  caption: string;
  rowHead: string;
  columns: readonly { name: string; text: (row: Row) => string }[];
  rows: readonly Row[];
  /** The page that shows what is behind a row. */
  linkTo?: (row: Row) => string;
  className?: string;
};

/** Shows the numbers behind a chart on demand. A table wider than the screen scrolls, also by keyboard. */
export function ExactNumbers<Row extends { name: string }>(props: ExactNumbersProps<Row>) {
  const { caption, rowHead, columns, rows, linkTo, className } = props;
  return (
    <details className={className}>
      <summary className="w-fit rounded-sm text-xs text-primary underline underline-offset-4">
        {tableMessages.exactNumbers}
      </summary>
      <div
        className="relative mt-3 overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label={tableMessages.exactNumbers}
      >
        <table className="number-table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{rowHead}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  {linkTo ? (
                    <Link to={linkTo(row)} className="link">
                      {row.name}
                    </Link>
                  ) : (
                    row.name
                  )}
                </th>
                {columns.map(({ name, text }) => (
                  <td key={name}>{text(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
