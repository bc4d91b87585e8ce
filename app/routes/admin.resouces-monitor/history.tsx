import { ChoiceLinks } from "~/components/choice-links";
import { ExactNumbers } from "~/components/exact-numbers";
import { Sparkline } from "~/components/sparkline";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { resourceMessages } from "~/content/resources";
import { paths } from "~/paths";
import { HEALTH_LIMITS, MEETING_CAPACITY, MEETINGS_DANGER } from "~/services/resources/usage";
import type { HistoryView } from "./resources-view.server";

const copy = resourceMessages.history;
const ANCHOR = "history";
const { percent, rate, count } = resourceMessages.units;

const LINES = [
  { name: "cpu", unit: percent, max: 100, limit: HEALTH_LIMITS.cpu },
  { name: "memory", unit: percent, max: 100, limit: HEALTH_LIMITS.memory },
  { name: "disk", unit: percent, max: 100, limit: HEALTH_LIMITS.disk },
  { name: "inbound", unit: rate },
  { name: "outbound", unit: rate },
  { name: "meetings", unit: count, max: MEETING_CAPACITY, limit: MEETINGS_DANGER },
] as const;

type Row = HistoryView["rows"][number];

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

/** Newest first, as in every other table. */
const COLUMNS = UNITS.map(([name, unit]) => ({
  name: copy.columns[name],
  text: ({ [name]: value }: Row) => (value === null ? copy.notMeasured : unit(value)),
}));

/** Charts a day or a month: one line per measure, with its limit, and the exact numbers on demand. */
export function HistoryCard({ history: { over, lines, rows } }: { history: HistoryView }) {
  const measuredLines = LINES.filter(({ name }) => lines[name].some((value) => value !== null));
  return (
    <Card id={ANCHOR} className="scroll-mt-16">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4">
        <CardTitle>{copy.title}</CardTitle>
        <ChoiceLinks
          label={copy.title}
          choices={["day", "month"]}
          chosen={over}
          names={copy.lengths}
          linkTo={(length) => `${paths.resources}${length === "day" ? "" : `?over=${length}`}#${ANCHOR}`}
        />
      </div>
      <CardContent className="flex flex-col gap-5">
        {measuredLines.length === 0 ? (
          <p className="max-w-[42.9em] py-4 text-muted-foreground">{copy.empty}</p>
        ) : (
          <>
            <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
              {measuredLines.map((line) => (
                <li key={line.name} className="min-w-0">
                  <Line line={line} values={lines[line.name]} over={over} />
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

type LineProps = {
  line: (typeof LINES)[number];
  values: readonly (number | null)[];
  over: HistoryView["over"];
};

function Line({ line, values, over }: LineProps) {
  const name = copy.names[line.name];
  const highest = Math.max(...values.map((value) => value ?? 0));
  const newest = values.findLast((value) => value !== null) ?? 0;
  return (
    <>
      <h3 className="flex items-baseline justify-between gap-3 text-xs">
        <span className="font-medium">{name}</span>
        <span className="text-muted-foreground tabular-nums">
          <span className="text-foreground">{line.unit(newest)}</span>, {copy.highest(line.unit(highest))}
        </span>
      </h3>
      <Sparkline
        label={copy.label(name, over)}
        values={values}
        max={"max" in line ? Math.max(line.max, highest) : highest}
        limit={"limit" in line ? line.limit : undefined}
      />
    </>
  );
}
