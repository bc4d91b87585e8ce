import { Link } from "@remix-run/react";
import type { Colour } from "~/components/charts/colours";
import { ShareBar } from "~/components/charts/share-bar";
import { Swatch } from "~/components/charts/swatch";
import { Card, CardContent } from "~/components/ui/card";
import { linkTo } from "~/http/list-state";
import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";

interface StatFiguresProps<State> {
  page: string;
  /** The state whose deliveries are listed; undefined for all of them. */
  selected: State | undefined;
  figures: readonly {
    label: string;
    count: number;
    state?: State;
    note?: string | undefined;
    /** Of the figure's part of the bar; the sum of all has none. */
    colour?: Colour;
  }[];
  /** What the bar shows, for screen readers. */
  label: string;
  /** What is in none of the figures yet: the end of the bar. */
  rest?: { name: string; count: number };
}

/** Shows stats whose figures add up, such as a campaign's, as one bar too. Each figure links to its rows. */
export function StatFigures<State extends string>(props: StatFiguresProps<State>) {
  const { page, selected, figures, label, rest } = props;
  const parts = figures.flatMap(({ label: name, count, colour }) => (colour ? { name, count, colour } : []));
  return (
    <Card>
      <CardContent className="pb-2">
        <ShareBar label={label} parts={rest ? [...parts, { ...rest, colour: "rest" }] : parts} />
      </CardContent>
      <ul className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-6 @max-[56rem]/detail:grid-cols-3 @max-[28rem]/detail:grid-cols-2">
        {figures.map(({ label, count, state, note, colour }) => (
          <li key={label}>
            <Link
              to={linkTo(page, { state })}
              preventScrollReset
              aria-current={state === selected ? "true" : undefined}
              className={cn(
                "flex h-full flex-col gap-0.5 rounded-lg px-4 py-3",
                "forced-colors:aria-[current]:border-2 forced-colors:aria-[current]:border-[Highlight]",
                state === selected ? "bg-primary-surface" : "hover:bg-muted",
              )}
            >
              <span className="flex items-baseline gap-1.5 text-xs text-muted-foreground">
                {colour ? <Swatch colour={colour} /> : null}
                {label}
              </span>
              <span className="text-xl font-semibold tabular-nums">{grouped(count)}</span>
              {note ? <span className="text-xs text-muted-foreground">{note}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
