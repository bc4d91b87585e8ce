import { Link } from "@remix-run/react";
import type { Series } from "~/components/charts/colours";
import { StackedColumns } from "~/components/charts/stacked-columns";
import { ExactNumbers } from "~/components/exact-numbers";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { logsMessages } from "~/content/logs";
import { grouped } from "~/lib/format-number";
import { getLogsUrl, LEVEL_COLOURS } from "./filter";
import type { LogsView } from "./logs-view.server";
import { COUNTED_LEVELS } from "./volume";

const copy = logsMessages.volume;

type Column = LogsView["volume"]["columns"][number];

/** Charts the lines over time by level. Each column is a link to its hour or day, and so is its row of exact numbers. */
export function VolumeChart({ view: { volume, values } }: { view: LogsView }) {
  const { per, columns } = volume;
  const title = per === "hour" ? copy.hours : copy.days;
  const chosen = columns.find(({ value }) => value === values.hour);
  const parts = getParts(columns, values.level);
  const linkTo = ({ value }: Column) =>
    per === "day"
      ? getLogsUrl({ ...values, hour: "", from: value, to: value })
      : // The selected hour's own link shows all hours again.
        getLogsUrl({ ...values, hour: value === values.hour ? "" : value });
  return (
    <Card>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-4">
        <CardTitle>{title}</CardTitle>
        {values.hour ? (
          <p className="text-xs">
            {copy.onlyHour(chosen?.name ?? values.hour)}{" "}
            <Link to={getLogsUrl({ ...values, hour: "" })} preventScrollReset className="link underline">
              {copy.allHours}
            </Link>
          </p>
        ) : null}
      </div>
      <CardContent className="flex flex-col gap-3 pt-2">
        {columns.every(({ all }) => all === 0) ? (
          <p className="py-4 text-muted-foreground">{copy.none}</p>
        ) : (
          <>
            <StackedColumns
              label={copy.label(values.level === "" ? copy.ofAll : copy.of(values.level), per)}
              span={copy.span(columns.length, per)}
              height={148}
              series={parts.map(({ series }) => series)}
              columns={columns.map((column) => ({
                name: column.name,
                axisName: column.axisName,
                values: parts.map(({ part }) => column.levels[part] ?? 0),
                to: linkTo(column),
                isChosen: column === chosen,
              }))}
            />
            <ExactNumbers
              caption={title}
              rowHead={copy.columns[per]}
              linkTo={linkTo}
              columns={[
                ...parts.map(({ part, series: { name } }) => ({
                  name,
                  text: ({ levels }: Column) => grouped(levels[part] ?? 0),
                })),
                { name: copy.columns.all, text: ({ all }: Column) => grouped(all) },
              ]}
              // Newest first, without empty intervals.
              rows={columns.filter(({ all }) => all > 0).toReversed()}
            />
          </>
        )}
      </CardContent>
    </Card>
  );
}

interface Part {
  /** Its place in a column's counts. */
  readonly part: number;
  readonly series: Series;
}

/** Returns the levels to show: the chosen one, or the known ones and any others. */
function getParts(columns: readonly Column[], level: string): Part[] {
  const known = COUNTED_LEVELS.map((name, part): Part => ({
    part,
    series: { name, colour: LEVEL_COLOURS[name] ?? "neutral" },
  }));
  const part = COUNTED_LEVELS.length;
  const others: Part = { part, series: { name: level || copy.columns.others, colour: "neutral" } };
  if (level !== "") return [known.find(({ series }) => series.name === level) ?? others];
  return columns.some(({ levels }) => (levels[part] ?? 0) > 0) ? [...known, others] : known;
}
