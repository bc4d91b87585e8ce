import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Figure } from "./measurement";
import type { Comparison } from "./rounds";

const FILE = ".cache/results/bench.json";

export type Measurement = Comparison | Figure;
/** Result of the last run of a bench. */
export interface BenchResult {
  readonly name: string;
  /** Day of the run in UTC, as 2026-11-21. */
  readonly day: string;
  readonly seconds: number;
  readonly measured: readonly Measurement[];
  /** Reason for which it ended without measuring. */
  readonly failure?: string;
}

/** Reads the stored results. A value the system does not report, NaN, is null in JSON. */
function readBenchResults(): BenchResult[] {
  if (!existsSync(FILE)) return [];
  return JSON.parse(readFileSync(FILE, "utf8"), (_, value: unknown) =>
    value === null ? NaN : value,
  ) as BenchResult[];
}

/** Stores a result in place of the previous one of the same bench. */
export function storeBenchResult(result: BenchResult): void {
  const others = readBenchResults().filter(({ name }) => name !== result.name);
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify([...others, result], undefined, 2));
}

export const isFigure = (each: Measurement): each is Figure => "unit" in each;
