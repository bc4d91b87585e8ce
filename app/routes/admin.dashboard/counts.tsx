import { NamedColumns } from "~/components/charts/named-columns";
import { Sparkline } from "~/components/charts/sparkline";
import { BellRing, MessageSquareText, UserRoundPlus } from "lucide-react";
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { TextLink } from "~/components/text-link";
import { Progress } from "~/components/ui/progress";
import { Card, CardAction, CardContent, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import {
  Table,
  TableBody,
  TableCaption,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "~/components/ui/table";
import { chartMessages as copy } from "~/content/submissions";
import { useLinkHere } from "~/components/use-link-here";
import { visitMessages as visits } from "~/content/visits";
import { linkTo } from "~/http/list-state";
import { SUBMISSION_KINDS, type SubmissionKind } from "~/lib/form-fields";
import { grouped } from "~/lib/format-number";
import { toPercentage } from "~/lib/percentage";
import { utcMinute } from "~/lib/utc-minute";
import { paths } from "~/paths";
import type { Arrivals } from "./submissions.server";

type Counts = { counts: Readonly<Record<SubmissionKind, number>> };

/** Title, label and icon of each count (specification, section 2). */
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
  /** Submissions of each of the last 30 days, a day's counts in the order of the forms. */
  daily: readonly (readonly number[])[];
  arrivals: Arrivals;
};

/** Shows the three counts in one row, with what changed and their last 30 days; one below the other on small screens. */
export function StatCards({ counts, daily, arrivals }: StatCardsProps) {
  return (
    <ul className="grid gap-3 sm:grid-cols-3 lg:gap-6">
      {STATS.map((stat) => {
        const form = SUBMISSION_KINDS.indexOf(stat.kind);
        return (
          <li key={stat.kind}>
            <StatCard
              {...stat}
              count={counts[stat.kind]}
              trend={daily.map((day) => day[form] ?? 0)}
              change={<Change kind={stat.kind} form={form} arrivals={arrivals} />}
            />
          </li>
        );
      })}
    </ul>
  );
}

type StatCardProps = (typeof STATS)[number] & { count: number; trend: readonly number[]; change: ReactNode };

/** One count; the whole card is a link to the form's rows. */
function StatCard({ kind, title, label, icon: Icon, count, trend, change }: StatCardProps) {
  const linkHere = useLinkHere();
  return (
    <Card className="relative flex h-full flex-col transition-colors has-[a:hover]:bg-muted/60">
      <CardHeader>
        <CardTitle className="flex-1 font-medium">
          <Link to={linkHere(kind)} className="after:absolute after:inset-0">
            {title}
          </Link>
        </CardTitle>
        <CardAction>
          <Icon aria-hidden className="size-4 text-muted-foreground" />
        </CardAction>
      </CardHeader>
      <CardContent className="mt-auto flex flex-col gap-2 pt-2">
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <p data-figures className="text-xl font-semibold tracking-tight sm:text-2xl">
              {grouped(count)}
            </p>
            <p className="text-xs text-muted-foreground">{label}</p>
          </div>
          <div className="min-w-20 flex-1">
            <Sparkline label={copy.trend(copy.forms[kind])} values={trend} colour={kind} />
          </div>
        </div>
        {change}
      </CardContent>
    </Card>
  );
}

interface ChangeProps {
  kind: SubmissionKind;
  /** Its place in the order of the forms. */
  form: number;
  arrivals: Arrivals;
}

/** Says what arrived since the last visit, as a link to it, and in 24 hours. */
function Change({ kind, form, arrivals: { lastDay, sinceVisit, newSince } }: ChangeProps) {
  const [lastDayCount, newCount] = [lastDay[form], sinceVisit?.[form]];
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-xs text-muted-foreground" data-figures>
      {newCount && newSince !== undefined ? (
        <p>
          {newCount.count > 0 ? (
            <TextLink
              to={linkTo(paths.submissionTable(kind), { since: utcMinute(newSince) })}
              className="relative z-10"
            >
              <span className="font-semibold">{visits.plus(newCount)}</span> {visits.sinceVisit}
            </TextLink>
          ) : (
            visits.noneSinceVisit
          )}
        </p>
      ) : null}
      {lastDayCount ? <p>{visits.inLastDay(lastDayCount)}</p> : null}
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
      <CardContent className="relative flex flex-1 flex-col justify-end">
        {isEmpty ? (
          <p className="text-muted-foreground">{copy.countsEmpty}</p>
        ) : (
          <NamedColumns
            label={copy.countsLabel}
            height={160}
            columns={SUBMISSION_KINDS.map((kind) => ({
              name: copy.forms[kind],
              value: counts[kind],
              colour: kind,
            }))}
          />
        )}
        {/* The chart has the numbers for those who see it. */}
        <div className="sr-only">
          <Table>
            <TableCaption>{copy.countsTitle}</TableCaption>
            <TableHeader>
              <TableRow>
                <TableHead scope="col">{copy.form}</TableHead>
                <TableHead scope="col">{copy.count}</TableHead>
              </TableRow>
            </TableHeader>
            <TableBody>
              {SUBMISSION_KINDS.map((kind) => (
                <TableRow key={kind}>
                  <TableHead scope="row">{copy.forms[kind]}</TableHead>
                  <TableCell>{grouped(counts[kind])}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </div>
      </CardContent>
    </Card>
  );
}

/** Shows each form's share of all submissions (specification, sections 2 and 9). */
export function Distribution({ counts }: Counts) {
  const total = SUBMISSION_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  return (
    <Card className="flex flex-col">
      <CardHeader>
        <CardTitle>Submission Distribution</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-1 flex-col justify-center">
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
      </CardContent>
      <CardFooter className="mt-auto">
        <p className="text-muted-foreground" data-figures>
          Total Submissions: <span className="font-medium text-foreground">{grouped(total)}</span>
        </p>
      </CardFooter>
    </Card>
  );
}

/** Returns the colour of a share: 50 or more blue, 30 to 49 green, below 30 red (specification, section 9). */
function getTone(percentage: number): "info" | "success" | "destructive" {
  if (percentage >= 50) return "info";
  return percentage >= 30 ? "success" : "destructive";
}
