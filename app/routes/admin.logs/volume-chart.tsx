import type { Series } from "~/components/charts/colours";
import { StackedColumns } from "~/components/charts/stacked-columns";
import { ExactNumbers } from "~/components/exact-numbers";
import { LEVEL_COLOURS } from "~/components/log-level";
import { TextLink } from "~/components/text-link";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { logsMessages } from "~/content/logs";
import { getLogsUrl } from "~/http/lists/logs-list";
import type { LogsView } from "~/http/logs-view.server";
import { grouped } from "~/lib/format-number";
import { COUNTED_LEVELS } from "~/services/logs/log-volume";

const copy = logsMessages.volume;

type Column = LogsView["volume"]["columns"][number];

const TIMES = ["from", "fromTime", "to", "toTime"] as const;
const ALL_TIMES = { from: "", fromTime: "", to: "", toTime: "" };

/** Charts the lines over time by level. Each column is a link to its hour or day, and so is its row of exact numbers. */
export function VolumeChart({ view: { volume, values, errors } }: { view: LogsView }) {
  const { per, areDaysOfUtc, columns } = volume;
  const hasWrongTime = TIMES.some((name) => errors?.[name] !== undefined);
  const title = per === "hour" ? copy.hours : areDaysOfUtc ? copy.daysOfUtc : copy.days;
  const parts = getParts(columns, values.level);
  const allTimes = getLogsUrl({ ...values, ...ALL_TIMES });
  const linkTo = ({ filter, isChosen }: Column) => {
    const to = getLogsUrl({ ...values, ...filter });
    // The selected column's own link drops the filter's days and times.
    return isChosen && to === getLogsUrl(values) ? allTimes : to;
  };
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {!hasWrongTime && (values.fromTime || values.toTime) ? (
          <CardAction className="text-xs tabular-nums">
            {copy.only(values)}{" "}
            <TextLink to={allTimes} preventScrollReset>
              {copy.allHours}
            </TextLink>
          </CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="flex flex-col gap-3 pt-2">
        {columns.every(({ all }) => all === 0) ? (
          <p className="py-4 text-muted-foreground">{copy.none}</p>
        ) : (
          <>
            <StackedColumns
              label={copy.label(values.level === "" ? copy.ofAll : copy.of(values.level), per)}
              span={copy.span(columns.length, per)}
              height={148}
              staysOnPage
              series={parts.map(({ series }) => series)}
              columns={columns.map((column) => ({
                name: column.name,
                axisName: column.axisName,
                values: parts.map(({ part }) => column.levels[part] ?? 0),
                to: linkTo(column),
                isChosen: column.isChosen,
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
