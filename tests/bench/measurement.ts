import { readFileSync } from "node:fs";

/** A measurement compared only with its aim. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "s" | "MiB";
  /** Upper limit that the value must keep; undefined without an aim. */
  readonly atMost: number | undefined;
}

export const figure = (what: string, value: number, unit: Figure["unit"], atMost?: number): Figure => ({
  what,
  value,
  unit,
  atMost,
});

export function getMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** Returns a process's resident memory in MiB; NaN where the system does not report it. */
export function getResidentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/**
 * Returns the size of a comparison: the default fits into the hour `npm run bench` may take on two cores; the
 * environment variable sets larger or smaller ones.
 */
export function getBenchSize(variable: `BENCH_${string}`, byDefault: number): number {
  const size = Number(process.env[variable] ?? byDefault);
  if (!Number.isSafeInteger(size) || size < 1) throw new Error(`${variable} must be a whole number from 1`);
  return size;
}
