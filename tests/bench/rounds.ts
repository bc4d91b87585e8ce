import { readFileSync } from "node:fs";
import { getMedian } from "./measurement";

/** One side of a comparison; each round measures it once. */
export interface Side {
  readonly name: string;
  /** Process whose processor time counts. */
  readonly pid: number;
  readonly round: () => Promise<Measured>;
}

export const toSide = (name: string, { pid }: { pid: number }, round: Side["round"]): Side => ({
  name,
  pid,
  round,
});

export interface Measured {
  /** Units of work done. */
  readonly done: number;
  readonly perSecond: number;
}

/** Computes the rate of work that was done within milliseconds. */
export const toMeasured = (done: number, ms: number): Measured => ({ done, perSecond: (1000 * done) / ms });

/** Repeats work as a round, one after the other. */
export async function repeat(times: number, work: (index: number) => Promise<unknown>): Promise<Measured> {
  const began = performance.now();
  for (let index = 0; index < times; index += 1) await work(index);
  return toMeasured(times, performance.now() - began);
}

interface Rate {
  readonly name: string;
  /** Median of the rounds. */
  readonly perSecond: number;
  /** Processor time of the process for a thousand units, in ms; NaN where the system does not report it. */
  readonly cpuMs: number;
}

/** Medians of the rounds' own values: interference by another program affects both sides of a round. */
export interface Comparison {
  readonly what: string;
  readonly product: Rate;
  readonly other: Rate;
  /** The product's rate over the other's. */
  readonly ratio: number;
  /** The other's processor time for a unit of work over the product's. */
  readonly cpuRatio: number;
  /** Ratio to reach; undefined without an aim. */
  readonly aim: number | undefined;
}

/**
 * Returns the median, by ratio, of the same comparison after several starts of both sides: two processes of the same
 * program differ by a third, depending on their memory layout.
 */
export function pickMedian(starts: readonly Comparison[]): Comparison {
  const sorted = starts.toSorted((one, other) => one.ratio - other.ratio);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (!median) throw new RangeError("Nothing was compared");
  console.info(
    `${median.what}: the ratio of each start ${sorted.map(({ ratio }) => ratio.toFixed(2)).join(", ")}.`,
  );
  return median;
}

type Round = Measured & { readonly cpuMs: number };

/**
 * Measures both sides in each round, with the other one first in every second round. Warm-up rounds are
 * dropped.
 */
export async function compare(
  what: string,
  product: Side,
  other: Side,
  { warmUps, rounds, aim }: { warmUps: number; rounds: number; aim?: number },
): Promise<Comparison> {
  const measured: { product: Round; other: Round }[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const isProductFirst = round % 2 === 0;
    const first = await measure(isProductFirst ? product : other);
    const second = await measure(isProductFirst ? other : product);
    if (round < 0) continue;
    measured.push(isProductFirst ? { product: first, other: second } : { product: second, other: first });
  }
  const toRate = ({ name }: Side, side: "product" | "other"): Rate => ({
    name,
    perSecond: getMedian(measured.map((round) => round[side].perSecond)),
    cpuMs: getMedian(measured.map((round) => round[side].cpuMs)),
  });
  return {
    what,
    product: toRate(product, "product"),
    other: toRate(other, "other"),
    ratio: getMedian(measured.map((round) => round.product.perSecond / round.other.perSecond)),
    cpuRatio: getMedian(measured.map((round) => round.other.cpuMs / round.product.cpuMs)),
    aim,
  };
}

export async function measure({ pid, round }: Side): Promise<Round> {
  const before = getCpuMs(pid);
  const measured = await round();
  return { ...measured, cpuMs: (1000 * (getCpuMs(pid) - before)) / measured.done };
}

/** Returns user and system time of all threads so far: fields 14 and 15 of proc_pid_stat(5), in ticks of 10 ms. */
function getCpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return 10 * (Number(user) + Number(system));
  } catch {
    return NaN;
  }
}
