import { Link } from "@remix-run/react";
import { Card } from "~/components/ui/card";
import { cn } from "~/lib/class-names";
import { grouped } from "~/lib/format-number";

interface StatFiguresProps<State> {
  page: string;
  /** The state whose deliveries are listed; undefined for all of them. */
  selected: State | undefined;
  figures: readonly { label: string; count: number; state?: State; note?: string | undefined }[];
}

/** Shows the stats of a campaign, whose six figures add up. Each figure links to its deliveries. */
export function StatFigures<State extends string>({ page, selected, figures }: StatFiguresProps<State>) {
  return (
    <Card>
      <ul className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
        {figures.map(({ label, count, state, note }) => (
          <li key={label}>
            <Link
              to={state ? `${page}?state=${state}` : page}
              preventScrollReset
              aria-current={state === selected ? "true" : undefined}
              className={cn(
                "flex h-full flex-col gap-0.5 rounded-lg px-4 py-3",
                state === selected ? "bg-primary-surface" : "hover:bg-muted",
              )}
            >
              <span className="text-xs text-muted-foreground">{label}</span>
              <span className="text-xl font-semibold tabular-nums">{grouped(count)}</span>
              {note ? <span className="text-xs text-muted-foreground">{note}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
