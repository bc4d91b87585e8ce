import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Figure } from "./figure";
import type { Comparison } from "./rounds";

const FILE = ".cache/results/bench.json";

export type Measurement = Comparison | Figure;
/** What one of the bench's names measured when it last ran. */
export interface KindResult {
  readonly name: string;
  /** Of UTC, as 2026-11-21. */
  readonly day: string;
  readonly seconds: number;
  readonly measured: readonly Measurement[];
  /** Why it ended without measuring. */
  readonly failure?: string;
}

/** Our own file: what `keep` wrote. What the system does not tell, NaN, is null in JSON. */
export function readBenchResults(): KindResult[] {
  if (!existsSync(FILE)) return [];
  return JSON.parse(readFileSync(FILE, "utf8"), (_, value: unknown) =>
    value === null ? NaN : value,
  ) as KindResult[];
}

/** In the place of what the same name measured before. */
export function storeBenchResult(measured: KindResult): void {
  const others = readBenchResults().filter(({ name }) => name !== measured.name);
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify([...others, measured], undefined, 2));
}

export const isFigure = (each: Measurement): each is Figure => "unit" in each;
