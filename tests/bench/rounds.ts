import { readFileSync } from "node:fs";

/** One side of a comparison: a round measures it once. */
export interface Side {
  readonly name: string;
  /** Whose processor time counts. */
  readonly pid: number;
  readonly round: () => Promise<Measured>;
}
export interface Measured {
  /** Pieces of work, and how many a second were done. */
  readonly done: number;
  readonly perSecond: number;
}

export interface Result {
  readonly name: string;
  /** The median of the rounds. */
  readonly perSecond: number;
  readonly slowest: number;
  readonly fastest: number;
  /** Processor time of the process for a thousand pieces, in ms; NaN where the system does not tell. */
  readonly cpuMs: number;
}

/** Measures the sides in turn, so that whatever else the machine does meets all of them. The first round warms up. */
export async function inTurn(sides: readonly Side[], rounds: number): Promise<Result[]> {
  const found = sides.map((): (Measured & { cpuMs: number })[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const cpuBefore = cpuMsOf(side.pid);
      const measured = await side.round();
      if (round > 0) found[index]?.push({ ...measured, cpuMs: cpuMsOf(side.pid) - cpuBefore });
    }
  }
  return sides.map(({ name }, index) => {
    const rates = (found[index] ?? []).map(({ perSecond }) => perSecond).sort((a, b) => a - b);
    const costs = (found[index] ?? []).map(({ cpuMs, done }) => (1000 * cpuMs) / done).sort((a, b) => a - b);
    const [slowest = NaN, fastest = NaN] = [rates[0], rates.at(-1)];
    return { name, perSecond: median(rates), slowest, fastest, cpuMs: median(costs) };
  });
}

function median(sorted: readonly number[]): number {
  const [low = NaN, high = NaN] = [Math.floor, Math.ceil].map(
    (half) => sorted[half((sorted.length - 1) / 2)],
  );
  return (low + high) / 2;
}

/** User and system time so far, all threads; fields 14 and 15 of proc_pid_stat(5), in ticks of 10 ms. */
function cpuMsOf(pid: number): number {
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
