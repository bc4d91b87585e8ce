import { ColumnChart } from "~/components/column-chart";
import { Card, CardContent, CardHeader } from "~/components/ui/card";
import type { ChartGrid } from "~/lib/chart-grid.server";
import { chartMessages as copy } from "~/content/submissions";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";
import { grouped } from "~/lib/format-number";

interface CountsChartProps {
  counts: Readonly<Record<SubmissionKind, number>>;
  grid: ChartGrid;
}

/** Charts the three counts, with the numbers beside them (specification, section 2). */
export function CountsChart({ counts, grid }: CountsChartProps) {
  const isEmpty = SUBMISSION_KINDS.every((kind) => counts[kind] === 0);
  return (
    <Card className="flex flex-col">
      <CardHeader title={copy.countsTitle} />
      <CardContent className="grid flex-1 items-end gap-6 sm:grid-cols-[minmax(0,1fr)_auto]">
        {isEmpty ? (
          <p className="text-muted-foreground">{copy.countsEmpty}</p>
        ) : (
          <ColumnChart
            label={copy.countsLabel}
            labels="all"
            grid={grid}
            columns={SUBMISSION_KINDS.map((kind) => ({
              name: copy.forms[kind],
              value: counts[kind],
              series: kind,
            }))}
          />
        )}
        <table className="w-full text-sm">
          <caption className="sr-only">{copy.countsTitle}</caption>
          <thead className="text-2xs text-muted-foreground">
            <tr className="border-b">
              <th scope="col" className="pb-1 text-left font-medium">
                {copy.form}
              </th>
              <th scope="col" className="pb-1 pl-8 text-right font-medium">
                {copy.count}
              </th>
            </tr>
          </thead>
          <tbody>
            {SUBMISSION_KINDS.map((kind) => (
              <tr key={kind} className="border-b last:border-b-0">
                <th scope="row" className="h-8 text-left font-normal">
                  {copy.forms[kind]}
                </th>
                <td className="pl-8 text-right font-medium">{grouped(counts[kind])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </CardContent>
    </Card>
  );
}
