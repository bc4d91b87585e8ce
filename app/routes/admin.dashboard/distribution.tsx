import { Meter } from "~/components/meter";
import { Card, CardContent, CardHeader } from "~/components/ui/card";
import { toPercentage } from "~/lib/percentage";
import { chartMessages } from "~/content/submissions";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";
import { grouped } from "~/lib/format-number";

/** Shows each form's share of all submissions (specification, sections 2 and 9). */
export function Distribution({ counts }: { counts: Readonly<Record<SubmissionKind, number>> }) {
  const total = SUBMISSION_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  return (
    <Card>
      <CardHeader title="Submission Distribution" />
      <CardContent>
        <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
          {SUBMISSION_KINDS.map((kind) => {
            const name = chartMessages.forms[kind];
            const percentage = toPercentage(counts[kind], total);
            return (
              <div key={kind} className="flex flex-col gap-2">
                <dt className="text-xs text-muted-foreground">{name}</dt>
                <dd className="flex flex-wrap items-baseline justify-between gap-x-3" data-figures>
                  <span className="text-lg font-semibold tracking-tight">{percentage}%</span>
                  <span className="text-muted-foreground">{grouped(counts[kind])}</span>
                </dd>
                <dd>
                  <Meter
                    kind="meter"
                    label={`Share of ${name}`}
                    value={percentage}
                    max={100}
                    tone={getTone(percentage)}
                  />
                </dd>
              </div>
            );
          })}
        </dl>
        <p className="mt-5 border-t pt-3 text-muted-foreground" data-figures>
          Total Submissions: <span className="font-medium text-foreground">{grouped(total)}</span>
        </p>
      </CardContent>
    </Card>
  );
}

/** Returns the colour of a share: 50 or more blue, 30 to 49 green, below 30 red (specification, section 9). */
function getTone(percentage: number): "info" | "success" | "danger" {
  if (percentage >= 50) return "info";
  return percentage >= 30 ? "success" : "danger";
}
