type SparklineProps = {
  /** Describes the chart for screen readers; the numbers are in a table beside it. */
  label: string;
  /** At equal intervals; null is a gap. */
  values: readonly (number | null)[];
  /** Value at the top; the bottom is 0. */
  max: number;
  limit?: number;
};

const HEIGHT = 40;

/** A line above a zero line that stretches to its container, in plain attributes: the policy forbids styles. */
export function Sparkline({ label, values, max, limit }: SparklineProps) {
  const width = Math.max(1, values.length - 1);
  const y = (value: number) => round(HEIGHT - (HEIGHT - 2) * Math.min(1, max > 0 ? value / max : 0) - 1);
  const runs = splitRuns(values);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-12 w-full"
    >
      <HorizontalLine at={HEIGHT - 0.5} width={width} className="stroke-input" />
      {limit === undefined ? null : (
        <HorizontalLine at={y(limit)} width={width} className="stroke-border" dashed />
      )}
      {runs.map(({ from, values: run }) => {
        // A single point is drawn as a short dash.
        const last = run.length === 1 ? [...run, run[0] ?? 0] : run;
        const line = last.map((value, index) => `${from + index},${y(value)}`).join(" ");
        return (
          <g key={from}>
            <polygon
              points={`${from},${HEIGHT} ${line} ${from + last.length - 1},${HEIGHT}`}
              className="fill-primary/10"
            />
            <polyline
              points={line}
              className="fill-none stroke-primary"
              strokeWidth="1.5"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          </g>
        );
      })}
    </svg>
  );
}

type HorizontalLineProps = { at: number; width: number; className: string; dashed?: boolean };

function HorizontalLine({ at, width, className, dashed = false }: HorizontalLineProps) {
  return (
    <line
      x1="0"
      x2={width}
      y1={at}
      y2={at}
      className={className}
      strokeDasharray={dashed ? "3 3" : undefined}
      vectorEffect="non-scaling-stroke"
    />
  );
}

function splitRuns(values: readonly (number | null)[]): { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const run = runs.at(-1);
    if (run && run.from + run.values.length === index) run.values.push(value);
    else runs.push({ from: index, values: [value] });
  });
  return runs;
}

const round = (value: number) => Math.round(value * 10) / 10;
