import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";
import { COLOURS, type Series } from "./colours";

interface ShareBarProps {
  label: string;
  /** From the left; their sum is the whole width. */
  parts: readonly (Series & { readonly count: number })[];
  className?: string;
  /** In pixels. */
  height?: number;
}

/** The lowest width of a part that is not zero, in percent: one failure among thousands is seen. */
const MIN_SHARE = 1;

/**
 * One bar of parts of a whole. The numbers must be shown too: a colour alone conveys nothing. Imports nothing of
 * visx, because some screens have no other chart.
 */
export function ShareBar({ label, parts, className, height = 8 }: ShareBarProps) {
  const shown = getShares(parts.map(({ count }) => count));
  const described = parts
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${grouped(count)} ${name}`);
  return (
    <svg
      role="img"
      aria-label={described.length > 0 ? `${label}: ${described.join(", ")}` : label}
      width="100%"
      height={height}
      className={cn("block", className)}
    >
      <rect width="100%" height={height} rx={2} className="fill-muted" />
      {parts.map(({ name, colour }, index) => {
        const { from, width } = shown[index] ?? { from: 0, width: 0 };
        return width > 0 ? (
          <rect
            key={name}
            x={percent(from)}
            width={percent(width)}
            height={height}
            className={cn("stroke-card", COLOURS[colour].fill)}
          />
        ) : null;
      })}
    </svg>
  );
}

/** Returns where each part begins and how wide it is, in percent of the whole; a part of zero has no width. */
export function getShares(counts: readonly number[]): { from: number; width: number }[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const wide = counts.map((count) => (count === 0 ? 0 : Math.max(MIN_SHARE, (100 * count) / total)));
  const scale =
    100 /
    Math.max(
      100,
      wide.reduce((sum, width) => sum + width, 0),
    );
  let from = 0;
  return wide.map((width) => {
    const share = { from, width: width * scale };
    from += share.width;
    return share;
  });
}

const percent = (value: number) => `${Number(value.toFixed(3))}%`;
