import { setImmediate as turn } from "node:timers/promises";

/** So often it is measured; the first time the compiler works as well. */
const RUNS = 3;

/** Processor time of this thread alone, in milliseconds: what else the machine does is not in it. */
const threadMs = (since?: NodeJS.CpuUsage): { ms: number; at: NodeJS.CpuUsage } => {
  const at = process.threadCpuUsage(since);
  return { ms: (at.user + at.system) / 1000, at };
};

/** The processor time that `work` takes, in milliseconds: the least of three runs. */
export function cpuMs(work: () => unknown): number {
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const { at } = threadMs();
    work();
    least = Math.min(least, threadMs(at).ms);
  }
  return least;
}

/**
 * The longest that the event loop was held while `work` went on: processor time between two of its turns, in milliseconds.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  let isOver = false;
  const done = work().finally(() => (isOver = true));
  let longest = 0;
  while (!isOver) {
    const { at } = threadMs();
    await turn();
    longest = Math.max(longest, threadMs(at).ms);
  }
  return { ms: longest, value: await done };
}
