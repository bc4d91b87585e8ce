import { cpus, totalmem } from "node:os";
import type { Figure } from "./measurement";
import { isFigure, type Measurement } from "./results";
import type { Comparison } from "./rounds";

const COMPARISONS_HEAD = ["", "a second", "of the reference", "ratio", "ratio by CPU", "aim"];
const FIGURES_HEAD = ["", "measured", "aim"];

/** Formats measurements as Markdown: a table of comparisons and a table of figures, each only if there are any. */
export function formatMarkdown(measured: readonly Measurement[]): string {
  const figures = measured.filter(isFigure);
  const comparisons = measured.filter((each): each is Comparison => !isFigure(each));
  return [
    ...(comparisons.length > 0
      ? [...table([COMPARISONS_HEAD, ...comparisons.map(toComparisonRow)]), "", ABOUT, ""]
      : []),
    ...(figures.length > 0 ? [...table([FIGURES_HEAD, ...figures.map(toFigureRow)]), ""] : []),
  ].join("\n");
}

const ABOUT = [
  "Both sides in every round of one run, warmed up; medians of the rounds and of several starts. The ratio is the product's rate over the other's;",
  "by CPU, the other's processor time for a piece of work over the product's, which a busy machine disturbs less.",
].join("\n");

/** Describes the machine of a measurement without its name. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim() ?? "unknown"}, ${memory} GiB of memory`;
}

/**
 * Formats a Markdown table. @param rows the head first; the first column is left-aligned, the others
 * right-aligned.
 */
function table(all: readonly (readonly string[])[]): string[] {
  const [head = [], ...rows] = all;
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const aligned = (row: readonly string[]) =>
    line(
      widths.map((width, column) =>
        column === 0 ? (row[0] ?? "").padEnd(width) : (row[column] ?? "").padStart(width),
      ),
    );
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [aligned(head), line(rule), ...rows.map(aligned)];
}

function toFigureRow({ what, value, unit, atMost }: Figure): string[] {
  const aim =
    atMost === undefined
      ? "none"
      : `at most ${atMost} ${unit}, ${isMet(value, atMost) ? "met" : "aim MISSED"}`;
  return [
    what,
    `${Number.isFinite(value) ? value.toFixed(value < 1 ? 3 : unit === "s" ? 2 : 1) : "–"} ${unit}`,
    aim,
  ];
}

const isMet = (value: number, atMost: number): boolean => value <= atMost;

/** Returns whether every aim was met. */
export function aimsAreMet(measured: readonly Measurement[]): boolean {
  return measured.every((each) =>
    isFigure(each)
      ? each.atMost === undefined || isMet(each.value, each.atMost)
      : each.aim === undefined || Number(each.ratio.toFixed(2)) >= each.aim,
  );
}

function toComparisonRow({ what, product, other, ratio, cpuRatio, aim }: Comparison): string[] {
  const outcome = Number.isNaN(ratio)
    ? "not measured"
    : Number(ratio.toFixed(2)) >= (aim ?? 0)
      ? "met"
      : "aim MISSED";
  const verdict = aim === undefined ? "none" : `${aim.toFixed(2)} ${outcome}`;
  const rates = [formatWhole(product.perSecond), formatWhole(other.perSecond)];
  return [
    `${what}; reference: ${other.name}`,
    ...rates,
    formatPrecise(ratio),
    formatPrecise(cpuRatio),
    verdict,
  ];
}

function formatWhole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString("en") : "–";
}

/** Formats a number with two significant digits: 0.83, 0.0042. */
function formatPrecise(value: number): string {
  return Number.isFinite(value) ? value.toFixed(value < 0.1 ? 4 : 2) : "–";
}
