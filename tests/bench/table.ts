import { cpus } from "node:os";
import type { Compared, Rate } from "./rounds";

export interface Comparison extends Compared {
  readonly what: string;
  /** The ratio to reach; undefined where nothing is asked. */
  readonly aim: number | undefined;
}

const HEAD = ["", "a second", "slowest–fastest", "CPU ms per 1,000", "ratio", "ratio by CPU", "aim"];

/** The comparisons as one Markdown table, and what it was measured on. */
export function asMarkdown(comparisons: readonly Comparison[], seconds: number): string {
  const rows = comparisons.flatMap(rowsOf);
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const aligned = (row: readonly string[]) =>
    line(
      widths.map((width, column) =>
        column === 0 ? (row[0] ?? "").padEnd(width) : (row[column] ?? "").padStart(width),
      ),
    );
  const rule = line(
    widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)),
  );
  const [cpu] = cpus();
  return [
    aligned(HEAD),
    rule,
    ...rows.map(aligned),
    "",
    "Both sides in every round of one run, warmed up; medians of the rounds. The ratio is the product's rate over the other's;",
    "by CPU, the other's processor time for a piece of work over the product's, which a busy machine disturbs less.",
    `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim() ?? "unknown"}, ${new Date().toISOString().slice(0, 10)}, ${seconds} s.`,
    "",
  ].join("\n");
}

function rowsOf({ what, product, other, ratio, cpuRatio, aim }: Comparison): string[][] {
  const verdict =
    aim === undefined
      ? "none yet"
      : `${aim.toFixed(2)} ${Number(ratio.toFixed(2)) >= aim ? "met" : "MISSED"}`;
  return [[what], cells(product), [...cells(other), precise(ratio), precise(cpuRatio), verdict]];
}

function cells({ name, perSecond, slowest, fastest, cpuMs }: Rate): string[] {
  return [`- ${name}`, whole(perSecond), `${whole(slowest)}–${whole(fastest)}`, whole(cpuMs)];
}

function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString("en") : "–";
}

/** Two digits that mean something: 0.83, 0.0042. */
function precise(value: number): string {
  return Number.isFinite(value) ? value.toFixed(value < 0.1 ? 4 : 2) : "–";
}
