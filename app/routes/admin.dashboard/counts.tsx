import { NamedColumns } from "~/components/charts/named-columns";
import { Sparkline } from "~/components/charts/sparkline";
import { BellRing, MessageSquareText, UserRoundPlus } from "lucide-react";
import { Link } from "@remix-run/react";
import { Progress } from "~/components/ui/progress";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { chartMessages as copy } from "~/content/submissions";
import { grouped } from "~/lib/format-number";
import { toPercentage } from "~/lib/percentage";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/services/signups/typed-columns";

type Counts = { counts: Readonly<Record<SubmissionKind, number>> };

/** Title, value, label, icon (specification, section 2). */
const STATS = [
  { kind: "early-access", title: "Early Access Signups", label: "Total Signups", icon: UserRoundPlus },
  {
    kind: "contact-form",
    title: "Contact Form Submissions",
    label: "Total Submissions",
    icon: MessageSquareText,
  },
  { kind: "updates-signup", title: "Updates Subscribers", label: "Total Subscribers", icon: BellRing },
] as const;

type StatCardsProps = Counts & {
  /** The signups of the last 30 days, each in the order of the forms. */
  daily: readonly (readonly number[])[];
};

/** Shows the three counts in one row, with their last 30 days; one below the other on small screens. */
export function StatCards({ counts, daily }: StatCardsProps) {
  return (
    <ul className="grid divide-y rounded-lg border bg-card sm:grid-cols-3 sm:divide-x sm:divide-y-0">
      {STATS.map(({ kind, title, label, icon: Icon }) => (
        <li key={kind} className="stat-card">
          <h2 className="text-sm font-medium max-sm:col-start-2 sm:self-start">
            <Link to={`#${kind}`} className="after:absolute after:inset-0">
              {title}
            </Link>
          </h2>
          <Icon
            aria-hidden
            className="size-4 text-muted-foreground max-sm:col-start-1 max-sm:row-span-2 max-sm:row-start-1 sm:self-start"
          />
          <p
            data-figures
            className="text-xl font-semibold tracking-tight max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 sm:col-span-2 sm:mt-3 sm:text-2xl"
          >
            {grouped(counts[kind])}
          </p>
          <p className="text-xs text-muted-foreground max-sm:col-start-2 sm:col-span-2">{label}</p>
          <Trend kind={kind} values={daily.map((day) => day[SUBMISSION_KINDS.indexOf(kind)] ?? 0)} />
        </li>
      ))}
    </ul>
  );
}

function Trend({ kind, values }: { kind: SubmissionKind; values: readonly number[] }) {
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <div className="stat-trend">
      <Sparkline label={copy.trend(copy.forms[kind])} values={values} colour={kind} />
      <p className="text-xs text-muted-foreground" data-figures>
        {copy.since("day", total)}
      </p>
    </div>
  );
}

/** Charts the three counts, with the numbers beside them (specification, section 2). */
export function CountsChart({ counts }: Counts) {
  const isEmpty = SUBMISSION_KINDS.every((kind) => counts[kind] === 0);
  return (
    <Card className="flex flex-col">
      <CardHeader>
        <CardTitle>{copy.countsTitle}</CardTitle>
      </CardHeader>
      <CardContent className="grid flex-1 items-end gap-6 sm:grid-cols-[minmax(0,1fr)_auto]">
        {isEmpty ? (
          <p className="text-muted-foreground">{copy.countsEmpty}</p>
        ) : (
          <NamedColumns
            label={copy.countsLabel}
            columns={SUBMISSION_KINDS.map((kind) => ({
              name: copy.forms[kind],
              value: counts[kind],
              colour: kind,
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

/** Shows each form's share of all submissions (specification, sections 2 and 9). */
export function Distribution({ counts }: Counts) {
  const total = SUBMISSION_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  return (
    <Card>
      <CardHeader>
        <CardTitle>Submission Distribution</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
          {SUBMISSION_KINDS.map((kind) => {
            const name = copy.forms[kind];
            const percentage = toPercentage(counts[kind], total);
            return (
              <div key={kind} className="flex flex-col gap-2">
                <dt className="text-xs text-muted-foreground">{name}</dt>
                <dd className="flex flex-wrap items-baseline justify-between gap-x-3" data-figures>
                  <span className="text-lg font-semibold tracking-tight">{percentage}%</span>
                  <span className="text-muted-foreground">{grouped(counts[kind])}</span>
                </dd>
                <dd>
                  <Progress
                    role="meter"
                    aria-label={`Share of ${name}`}
                    value={percentage}
                    variant={getTone(percentage)}
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
function getTone(percentage: number): "info" | "success" | "destructive" {
  if (percentage >= 50) return "info";
  return percentage >= 30 ? "success" : "destructive";
}
