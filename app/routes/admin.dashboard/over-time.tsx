import { ChoiceLinks } from "~/components/choice-links";
import { isNamed } from "~/components/charts/scales";
import { StackedColumns } from "~/components/charts/stacked-columns";
import { ExactNumbers } from "~/components/exact-numbers";
import { TextLink } from "~/components/text-link";
import { useTimeZone } from "~/components/time-zone";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { useLinkHere } from "~/components/use-link-here";
import { linkTo } from "~/http/list-state";
import { grouped } from "~/lib/format-number";
import { PERIODS } from "~/lib/periods";
import { paths } from "~/paths";
import { chartMessages as copy } from "~/content/submissions";
import type { SubmissionsOverTime } from "./submissions.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";

const ANCHOR = "over-time";

type Period = SubmissionsOverTime["periods"][number];

const SERIES = SUBMISSION_KINDS.map((kind) => ({ name: copy.forms[kind], colour: kind }));

const COLUMNS = [
  ...SUBMISSION_KINDS.map((kind, index) => ({
    name: copy.forms[kind],
    text: ({ counts }: Period) => grouped(counts[index] ?? 0),
  })),
  { name: copy.all, text: ({ counts }: Period) => grouped(total(counts)) },
];

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/**
 * Charts submissions by day, week or month, stacked by form. A part links to its rows, and
 * the rest of the column to those of its first form that has any.
 */
export function OverTime({ view: { over, periods, timeZone } }: { view: SubmissionsOverTime }) {
  const isOperatorsZone = timeZone === useTimeZone();
  const isEmpty = periods.every(({ counts }) => total(counts) === 0);
  return (
    <Card id={ANCHOR} className="scroll-mt-16">
      <CardHeader>
        <CardTitle>{copy.overTimeTitle}</CardTitle>
        <CardAction className="sm:-my-1.5 pointer-coarse:sm:-my-3">
          <Lengths over={over} />
        </CardAction>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        {isEmpty ? (
          <p className="py-6 text-muted-foreground">{copy.overTimeEmpty(over)}</p>
        ) : (
          <>
            <StackedColumns
              label={copy.overTimeLabel(over)}
              span={copy.spans[over]}
              height={250}
              series={SERIES}
              columns={periods.map((period, index) => ({
                name: period.name,
                // A month is named without its year, for which the axis has no room.
                axisName: isNamed(index, periods.length)
                  ? period.name.slice(0, over === "month" ? 3 : undefined)
                  : undefined,
                values: period.counts,
                to: linkToRows(period),
                partsTo: SUBMISSION_KINDS.map((kind) => linkTo(paths.submissionTable(kind), period.days)),
              }))}
            />
            {isOperatorsZone ? null : (
              <p className="text-xs text-muted-foreground">{copy.otherZone(timeZone)}</p>
            )}
            <div className="flex items-start justify-between gap-4">
              <ExactNumbers
                caption={copy.overTimeTitle}
                rowHead={copy.periods[over]}
                columns={COLUMNS}
                rows={periods.toReversed()}
                linkTo={linkToRows}
                className="min-w-0"
              />
              <div className="flex shrink-0 gap-4 text-xs">
                <TextLink to={paths.funnel}>{copy.funnel}</TextLink>
                <TextLink to={paths.sources}>{copy.bySource}</TextLink>
              </div>
            </div>
          </>
        )}
      </CardContent>
    </Card>
  );
}

/** The rows of a period, of the first form that has any; the other forms are a tab away. */
function linkToRows({ counts, days }: Period): string {
  const kind = SUBMISSION_KINDS.find((_, index) => (counts[index] ?? 0) > 0) ?? SUBMISSION_KINDS[0];
  return linkTo(paths.submissionTable(kind), days);
}

function Lengths({ over }: Pick<SubmissionsOverTime, "over">) {
  const linkHere = useLinkHere();
  const linkToLength = (length: string) => linkHere(ANCHOR, { over: length });
  return (
    <ChoiceLinks
      label={copy.overTimeTitle}
      choices={PERIODS}
      chosen={over}
      names={copy.lengths}
      linkTo={linkToLength}
    />
  );
}
