import { ColumnChart } from "~/components/column-chart";
import { ExactNumbers } from "~/components/exact-numbers";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { logsMessages } from "~/content/logs";
import { grouped } from "~/lib/format-number";
import { LEVEL_COLOURS } from "./filter";
import type { LogsView } from "./logs-view.server";

const copy = logsMessages.volume;

type Column = LogsView["volume"]["columns"][number];

const COLUMNS = [
  { name: copy.columns.errors, text: ({ errors }: Column) => grouped(errors) },
  { name: copy.columns.warnings, text: ({ warnings }: Column) => grouped(warnings) },
  { name: copy.columns.all, text: ({ all }: Column) => grouped(all) },
];

/** Charts the number of lines over time, with the exact numbers on demand. */
export function VolumeChart({ view: { volume, values } }: { view: LogsView }) {
  const { per, columns, grid } = volume;
  const seriesName = values.level === "" ? copy.ofAll : copy.of(values.level);
  const title = per === "hour" ? copy.hours : copy.days;
  const isEmpty = columns.every(({ all }) => all === 0);
  const series = values.level === "" ? "info" : (LEVEL_COLOURS[values.level] ?? "neutral");
  return (
    <Card>
      <CardTitle className="px-4 pt-4">{title}</CardTitle>
      <CardContent className="flex flex-col gap-3 pt-1">
        {isEmpty ? (
          <p className="py-4 text-muted-foreground">{copy.none}</p>
        ) : (
          <>
            <ColumnChart
              label={copy.label(seriesName, per)}
              labels="ends"
              height={104}
              grid={grid}
              columns={columns.map(({ name, all }) => ({ name, value: all }))}
              series={series}
            />
            <ExactNumbers
              caption={title}
              rowHead={copy.columns[per]}
              columns={COLUMNS}
              // Newest first, without empty intervals.
              rows={columns.filter(({ all }) => all > 0).toReversed()}
            />
          </>
        )}
      </CardContent>
    </Card>
  );
}
