import { cpus } from "node:os";
import type { Result } from "./rounds";

export interface Comparison {
  readonly what: string;
  readonly product: Result | undefined;
  /** What it is measured against. */
  readonly others: readonly (Result | undefined)[];
  /** The product's rate over the other's; undefined where nothing is asked of it. */
  readonly aim: number | undefined;
}

const HEAD = ["", "a second", "slowest–fastest round", "CPU ms per 1,000", "ratio", "ratio by CPU", "aim"];

/** The comparisons as one Markdown table, and what it was measured on. */
export function asMarkdown(comparisons: readonly Comparison[], seconds: number): string {
  const rows = comparisons.flatMap(rowsOf);
  const widths = HEAD.map((head, column) =>
    Math.max(...[HEAD, ...rows].map((row) => row[column]?.length ?? 0), head.length),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  const [cpu] = cpus();
  return [
    line(HEAD),
    rule,
    ...rows.map(line),
    "",
    "Both sides in turn in one run, medians of the rounds, warmed up. The ratio is the product's rate over the other's;",
    "by CPU, the other's processor time for a piece of work over the product's: it holds on a busy machine.",
    `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim() ?? "unknown"}, ${new Date().toISOString().slice(0, 10)}, ${seconds} s.`,
    "",
  ].join("\n");
}

function rowsOf({ what, product, others, aim }: Comparison): string[][] {
  if (!product) return [];
  const rows = [[what, "", "", "", "", "", ""], cells(product)];
  for (const other of others) {
    if (!other) continue;
    const ratio = product.perSecond / other.perSecond;
    const verdict = aim === undefined ? "" : `${aim.toFixed(2)} ${ratio >= aim ? "met" : "MISSED"}`;
    rows.push([
      ...cells(other).slice(0, 4),
      ratio.toFixed(2),
      rounded(other.cpuMs / product.cpuMs, 2),
      verdict,
    ]);
  }
  return rows;
}

function cells({ name, perSecond, slowest, fastest, cpuMs }: Result): string[] {
  const figures = [rounded(perSecond), `${rounded(slowest)}–${rounded(fastest)}`, rounded(cpuMs)];
  return [`- ${name}`, ...figures, "", "", ""];
}

function rounded(value: number, digits = 0): string {
  return Number.isFinite(value)
    ? value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : "–";
}
