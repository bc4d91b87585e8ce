import { ColumnChart, type Series } from "~/components/column-chart";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import type { LogsView } from "./logs-view.server";

const copy = operatorMessages.logs.volume;
const SERIES: Readonly<Record<string, Series>> = { INFO: "info", WARN: "warning", ERROR: "danger" };

/** How much was logged when: a picture of the server, and the exact numbers on demand. */
export function VolumeChart({ view: { volume, values } }: { view: LogsView }) {
  const { per, columns } = volume;
  const what = values.level === "" ? copy.ofAll : copy.of(values.level);
  const isEmpty = columns.every(({ all }) => all === 0);
  const series = values.level === "" ? "info" : (SERIES[values.level] ?? "neutral");
  return (
    <Card>
      <div className="flex items-baseline justify-between gap-3 px-4 pt-4">
        <CardTitle>{per === "hour" ? copy.hours : copy.days}</CardTitle>
        <p className="text-2xs text-muted-foreground">{copy.utc}</p>
      </div>
      <CardContent className="flex flex-col gap-3 pt-1">
        {isEmpty ? (
          <p className="py-4 text-muted-foreground">{copy.none}</p>
        ) : (
          <>
            <ColumnChart
              label={copy.label(what, per)}
              labels="ends"
              height={104}
              columns={columns.map(({ name, all }) => ({ name, value: all, series }))}
            />
            <Numbers volume={volume} />
          </>
        )}
      </CardContent>
    </Card>
  );
}

/** The newest first, and only where something was logged. */
function Numbers({ volume: { per, columns } }: Pick<LogsView, "volume">) {
  return (
    <details>
      <summary className="w-fit rounded-sm text-xs text-primary underline underline-offset-4">
        {copy.numbers}
      </summary>
      <table className="mt-3 w-full text-right text-sm tabular-nums">
        <caption className="sr-only">{per === "hour" ? copy.hours : copy.days}</caption>
        <thead className="text-2xs text-muted-foreground">
          <tr className="border-b">
            <th scope="col" className="h-8 text-left font-medium">
              {copy.columns[per]}
            </th>
            {(["errors", "warnings", "all"] as const).map((column) => (
              <th key={column} scope="col" className="pl-3 font-medium">
                {copy.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns
            .filter(({ all }) => all > 0)
            .toReversed()
            .map(({ name, all, errors, warnings }) => (
              <tr key={name} className="border-b last:border-b-0">
                <th scope="row" className="h-7 text-left font-normal whitespace-nowrap">
                  {name}
                </th>
                {[errors, warnings, all].map((value, column) => (
                  <td key={column} className="pl-3">
                    {value.toLocaleString("en")}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}
