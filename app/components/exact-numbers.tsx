type ExactNumbersProps<Row extends { name: string }> = {
  summary: string;
  caption: string;
  rowHead: string;
  columns: readonly { name: string; text: (row: Row) => string }[];
  rows: readonly Row[];
  className?: string;
};

/** Shows the numbers behind a chart on demand. A table wider than the screen scrolls, also by keyboard. */
export function ExactNumbers<Row extends { name: string }>(props: ExactNumbersProps<Row>) {
  const { summary, caption, rowHead, columns, rows, className } = props;
  return (
    <details className={className}>
      <summary className="w-fit rounded-sm text-xs text-primary underline underline-offset-4">
        {summary}
      </summary>
      <div className="relative mt-3 overflow-x-auto" tabIndex={0} role="region" aria-label={summary}>
        <table className="w-full text-right text-sm whitespace-nowrap tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead className="text-2xs text-muted-foreground">
            <tr className="border-b">
              <th scope="col" className="h-8 text-left font-medium">
                {rowHead}
              </th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className="pl-4 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className="border-b last:border-b-0">
                <th scope="row" className="h-7 text-left font-normal">
                  {row.name}
                </th>
                {columns.map(({ name, text }) => (
                  <td key={name} className="pl-4">
                    {text(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
