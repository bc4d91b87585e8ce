import { Link } from "@remix-run/react";
import { Card } from "~/components/ui/card";
import { cn } from "~/lib/class-names";

interface StatFigure {
  label: string;
  count: number;
  /** Address of the deliveries behind the figure. */
  to: string;
  isSelected: boolean;
  note?: string | undefined;
}

/** Shows the stats of a campaign, whose six figures add up. Each figure links to its deliveries. */
export function StatFigures({ figures }: { figures: readonly StatFigure[] }) {
  return (
    <Card>
      <ul className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
        {figures.map(({ label, count, to, isSelected, note }) => (
          <li key={label}>
            <Link
              to={to}
              preventScrollReset
              aria-current={isSelected ? "true" : undefined}
              className={cn(
                "flex h-full flex-col gap-0.5 rounded-lg px-4 py-3 hover:bg-muted",
                isSelected && "bg-primary-surface hover:bg-primary-surface",
              )}
            >
              <span className="text-xs text-muted-foreground">{label}</span>
              <span className="text-xl font-semibold tabular-nums">{count.toLocaleString("en")}</span>
              {note ? <span className="text-xs text-muted-foreground">{note}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
