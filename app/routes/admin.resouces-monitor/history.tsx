import { axisNumber } from "~/components/charts/scales";
import { type Mark, TimeLine } from "~/components/charts/time-line";
import { type Crosshair, useCrosshair } from "~/components/charts/use-crosshair";
import { ChoiceLinks } from "~/components/choice-links";
import { ExactNumbers } from "~/components/exact-numbers";
import { useTimeZone } from "~/components/time-zone";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { resourceMessages } from "~/content/resources";
import { days, hours } from "~/lib/durations";
import { cn } from "~/lib/utils";
import { shortUtcDay, startOfDay, startOfHour } from "~/lib/utc-day";
import { toWallTime } from "~/lib/zoned-time";
import { paths } from "~/paths";
import { HEALTH_LIMITS, MEETING_CAPACITY, MEETINGS_DANGER } from "~/services/resources/usage";
import type { HistoryRow, HistoryView } from "./resources-view.server";

const copy = resourceMessages.history;
const ANCHOR = "history";
const { percent, rate, count } = resourceMessages.units;

const shortPercent = (value: number) => `${value} %`;

const LINES = [
  { name: "cpu", unit: percent, tick: shortPercent, max: 100, limit: HEALTH_LIMITS.cpu, peak: "cpu_peak" },
  {
    name: "memory",
    unit: percent,
    tick: shortPercent,
    max: 100,
    limit: HEALTH_LIMITS.memory,
    peak: "memory_peak",
  },
  { name: "disk", unit: percent, tick: shortPercent, max: 100, limit: HEALTH_LIMITS.disk },
  { name: "inbound", unit: rate, tick: axisNumber },
  { name: "outbound", unit: rate, tick: axisNumber },
  { name: "meetings", unit: count, tick: axisNumber, max: MEETING_CAPACITY, limit: MEETINGS_DANGER },
] as const;

const UNITS = [
  ["cpu", percent],
  ["cpu_peak", percent],
  ["memory", percent],
  ["memory_peak", percent],
  ["disk", percent],
  ["inbound", rate],
  ["outbound", rate],
  ["meetings", count],
] as const;

/** The columns of the exact numbers; meetings last, because they are left out where nobody measures them. */
const COLUMNS = UNITS.map(([name, unit]) => ({
  name: copy.columns[name],
  text: ({ [name]: value }: HistoryRow) => (value === null ? copy.notMeasured : unit(value)),
}));

/** Charts a day or a month: one line per measure, with its limit, under one crosshair; the exact numbers on demand. */
export function HistoryCard({ history, rows }: { history: HistoryView; rows: readonly HistoryRow[] }) {
  const { over, lines } = history;
  const crosshair = useCrosshair(lines.cpu.length);
  const measuredLines = LINES.filter(({ name }) => lines[name].some((value) => value !== null));
  return (
    <Card id={ANCHOR} className="scroll-mt-16">
      <CardHeader>
        <CardTitle>{copy.title}</CardTitle>
        <CardAction className="sm:-my-1.5 pointer-coarse:sm:-my-3">
          <ChoiceLinks
            label={copy.title}
            choices={["day", "month"]}
            chosen={over}
            names={copy.lengths}
            linkTo={(length) => `${paths.resources}${length === "day" ? "" : `?over=${length}`}#${ANCHOR}`}
          />
        </CardAction>
      </CardHeader>
      <CardContent className="flex flex-col gap-5">
        {measuredLines.length === 0 ? (
          <p className="max-w-[42.9em] py-4 text-muted-foreground">{copy.empty}</p>
        ) : (
          <>
            <ul className="grid gap-x-8 gap-y-6 sm:grid-cols-2 xl:grid-cols-6">
              {measuredLines.map((line, index) => (
                <li key={line.name} className={getSpan(index, measuredLines.length)}>
                  <Line line={line} history={history} crosshair={crosshair} />
                </li>
              ))}
            </ul>
            <ExactNumbers
              caption={copy.title}
              rowHead={copy.time[over]}
              columns={measuredLines.some(({ name }) => name === "meetings") ? COLUMNS : COLUMNS.slice(0, -1)}
              rows={rows}
              className="border-t pt-3"
            />
          </>
        )}
      </CardContent>
    </Card>
  );
}

/** Returns the columns of a chart on the grid, so that the last line of charts has no hole. */
function getSpan(index: number, count: number): string {
  return cn(
    "min-w-0 xl:col-span-2",
    index === 0 && count % 2 === 1 && "sm:max-xl:col-span-2",
    index < 2 && count === 5 && "xl:col-span-3",
  );
}

type LineProps = { line: (typeof LINES)[number]; history: HistoryView; crosshair: Crosshair };

/** One measure, with its newest and its highest value, or with those under the crosshair. */
function Line({ line, history, crosshair }: LineProps) {
  const timeZone = useTimeZone();
  const { over, lines, incidents } = history;
  const name = copy.names[line.name];
  const values = lines[line.name];
  const peaks = "peak" in line ? lines[line.peak] : undefined;
  const newest = values.findLast((value) => value !== null) ?? 0;
  const highest = Math.max(...(peaks ?? values).map((value) => value ?? 0));
  const marks: readonly Mark[] = incidents.filter(({ kind }) => kind === line.name);
  const getTime = (index: number) => formatTime(history, index, timeZone);
  const describe = (index: number) => {
    const [value, peak] = [values[index] ?? null, peaks?.[index] ?? null];
    const isIncident = marks.some(({ from, to }) => index >= Math.floor(from) && index <= Math.floor(to));
    return [
      value === null ? copy.nothingMeasured : line.unit(value),
      peak === null ? undefined : copy.peak(line.unit(peak)),
      isIncident ? copy.incident : undefined,
    ]
      .filter(Boolean)
      .join(", ");
  };
  const summary = peaks ? copy.peak(line.unit(highest)) : copy.highest(line.unit(highest), over);
  const { index } = crosshair;
  return (
    <>
      <div className="mb-1 flex items-baseline justify-between gap-3 text-xs">
        <h3 className="font-medium">{name}</h3>
        <p className="min-w-0 truncate text-muted-foreground tabular-nums">
          {index === undefined ? (
            <>
              <span className="text-foreground">{line.unit(newest)}</span>, {summary}
            </>
          ) : (
            <span className="text-foreground">{describe(index)}</span>
          )}
        </p>
      </div>
      <TimeLine
        label={copy.label(name, over)}
        values={values}
        peaks={peaks}
        max={"max" in line ? line.max : undefined}
        limit={"limit" in line ? { value: line.limit, name: copy.limit(line.tick(line.limit)) } : undefined}
        marks={marks}
        formatTick={line.tick}
        formatTime={getTime}
        axisName={(place) => formatAxis(history, place, timeZone)}
        describe={describe}
        crosshair={crosshair}
      />
    </>
  );
}

/** "27 Nov 14:06", the beginning of a point. */
function formatTime({ first, point }: HistoryView, index: number, timeZone: string): string {
  const wall = toWallTime(first + index * point, timeZone);
  return `${shortUtcDay(wall)} ${formatClock(wall)}`;
}

/** Names every sixth hour of a day, and each Thursday of a month, at the first point on or after it. */
function formatAxis(
  { first, point, over }: HistoryView,
  index: number,
  timeZone: string,
): string | undefined {
  const [wall, before] = [index, index - 1].map((place) => toWallTime(first + place * point, timeZone));
  if (wall === undefined || before === undefined) return undefined;
  const day = startOfDay(wall);
  if (over === "month") {
    return day > startOfDay(before) && (day / days(1)) % 7 === 0 ? shortUtcDay(wall) : undefined;
  }
  const hour = startOfHour(wall);
  if (hour <= startOfHour(before) || (hour / hours(1)) % 6 !== 0) return undefined;
  return hour === day ? shortUtcDay(wall) : formatClock(hour);
}

/** "14:06", of a time on the wall clock. */
const formatClock = (wall: number): string => new Date(wall).toISOString().slice(11, 16);
