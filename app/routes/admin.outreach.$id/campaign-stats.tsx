import { Link } from "~/components/link";
import { StatFigures } from "~/components/stat-figures";
import { Card } from "~/components/ui/card";
import { campaignStatusMessages as copy, failureReason, skipReason } from "~/content/outreach";
import { linkTo } from "~/http/list-state";
import { cn } from "~/lib/class-names";
import { grouped } from "~/lib/format-number";
import type { CampaignView } from "./campaign-view.server";

/** Shows the stats, which add up: selected = sent + failed + skipped + uncertain + waiting. */
export function CampaignStats({ view: { page, stats, filter } }: { view: CampaignView }) {
  const reasons = Object.entries(stats.skippedByReason).map(
    ([reason, count]) => `${count} ${skipReason(reason)}`,
  );
  return (
    <StatFigures
      page={page}
      selected={filter.state}
      figures={[
        {
          label: copy.selected,
          count: stats.selected,
          state: undefined,
          note: stats.left > 0 ? copy.left(stats.left) : undefined,
        },
        { label: copy.sent, count: stats.sent, state: "sent", note: copy.returned(stats.returned) },
        { label: copy.failed, count: stats.failed, state: "failed" },
        { label: copy.skipped, count: stats.skipped, state: "skipped", note: reasons.join(", ") },
        { label: copy.uncertain, count: stats.uncertain, state: "uncertain" },
        { label: copy.waiting, count: stats.pending, state: stats.retrying > 0 ? "retrying" : "pending" },
      ]}
    />
  );
}

/** Counts the reasons for failures and skips; each links to its recipients. */
export function Reasons({ view: { page, stats, failures, filter } }: { view: CampaignView }) {
  const skipped = Object.entries(stats.skippedByReason).sort(([, a], [, b]) => b - a);
  if (failures.reasons.length + skipped.length === 0) return null;
  const toEntry = (state: "failed" | "skipped", reason: string, count: number, words: string) => ({
    to: linkTo(page, { state, reason }),
    isSelected: filter.state === state && filter.reason === reason,
    count,
    words,
  });
  return (
    <Card className="grid gap-x-8 gap-y-3 px-4 py-3 md:grid-cols-2">
      <Group
        title={failures.isPartial ? copy.failedOfFirst(failures.counted) : copy.failed}
        entries={failures.reasons.map(({ key, sample, count }) =>
          toEntry("failed", key, count, failureReason(sample)),
        )}
      />
      <Group
        title={copy.skipped}
        entries={skipped.map(([reason, count]) => toEntry("skipped", reason, count, skipReason(reason)))}
      />
    </Card>
  );
}

interface GroupProps {
  title: string;
  entries: readonly { to: string; isSelected: boolean; count: number; words: string }[];
}

function Group({ title, entries }: GroupProps) {
  if (entries.length === 0) return null;
  return (
    <section aria-label={copy.byReason(title)} className="min-w-0">
      <h2 className="text-xs text-muted-foreground">{copy.byReason(title)}</h2>
      <ul className="mt-1">
        {entries.map(({ to, isSelected, count, words }) => (
          <li key={to}>
            <Link
              to={to}
              preventScrollReset
              aria-current={isSelected ? "true" : undefined}
              className={cn(
                "-mx-2 block rounded-md px-2 py-1 break-words pointer-coarse:py-2.5",
                isSelected ? "bg-primary-surface" : "hover:bg-muted",
              )}
            >
              <span className="font-medium tabular-nums">{grouped(count)}</span>: {words}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
