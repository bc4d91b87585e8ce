import { useSearchParams } from "@remix-run/react";
import { ChoiceLinks } from "~/components/choice-links";
import { ColumnChart } from "~/components/column-chart";
import { ExactNumbers } from "~/components/exact-numbers";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { grouped } from "~/lib/format-number";
import { PERIODS } from "~/lib/periods";
import { chartMessages as copy } from "~/content/submissions";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import type { SignupsOverTime } from "./submissions.server";

const ANCHOR = "over-time";

type Row = { name: string; counts: readonly number[] };

const COLUMNS = [
  ...SUBMISSION_KINDS.map((kind, index) => ({
    name: copy.forms[kind],
    text: ({ counts }: Row) => grouped(counts[index] ?? 0),
  })),
  { name: copy.all, text: ({ counts }: Row) => grouped(counts.reduce((sum, count) => sum + count, 0)) },
];

/** Charts signups by day, week or month: a chart for each form on one scale, with the exact numbers. */
export function OverTime({ view: { over, names, counts, grid } }: { view: SignupsOverTime }) {
  const isEmpty = counts.flat().every((count) => count === 0);
  const rows = names.map((name, place): Row => ({ name, counts: counts.map((all) => all[place] ?? 0) }));
  return (
    <Card id={ANCHOR} className="scroll-mt-16">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4">
        <CardTitle>{copy.overTimeTitle}</CardTitle>
        <Lengths over={over} />
      </div>
      <CardContent className="flex flex-col gap-5">
        {isEmpty ? (
          <p className="py-6 text-muted-foreground">{copy.overTimeEmpty(over)}</p>
        ) : (
          <ul className="grid gap-x-8 gap-y-6 md:grid-cols-3">
            {SUBMISSION_KINDS.map((kind, index) => {
              const columns = rows.map(({ name, counts }) => ({ name, value: counts[index] ?? 0 }));
              const total = columns.reduce((sum, { value }) => sum + value, 0);
              return (
                <li key={kind} className="min-w-0">
                  <h3 className="flex items-baseline justify-between gap-3 text-xs">
                    <span className="font-medium">{copy.forms[kind]}</span>
                    <span className="text-muted-foreground" data-figures>
                      {copy.since(over, total)}
                    </span>
                  </h3>
                  <ColumnChart
                    label={copy.overTimeLabel(copy.forms[kind], over)}
                    labels="ends"
                    height={150}
                    grid={grid}
                    columns={columns}
                    series={kind}
                  />
                </li>
              );
            })}
          </ul>
        )}
        <ExactNumbers
          caption={copy.overTimeTitle}
          rowHead={copy.periods[over]}
          columns={COLUMNS}
          rows={rows.toReversed()}
          className="border-t pt-3"
        />
      </CardContent>
    </Card>
  );
}

function Lengths({ over }: Pick<SignupsOverTime, "over">) {
  const [search] = useSearchParams();
  const linkTo = (length: string) => {
    const next = new URLSearchParams(search);
    next.delete("notice");
    next.set("over", length);
    return `?${next}#${ANCHOR}`;
  };
  return (
    <ChoiceLinks
      label={copy.overTimeTitle}
      choices={PERIODS}
      chosen={over}
      names={copy.lengths}
      linkTo={linkTo}
    />
  );
}
