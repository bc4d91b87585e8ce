import { setImmediate as nextIteration } from "node:timers/promises";

/** Number of measurements; the first one includes compilation. */
const RUNS = 3;

/** Returns the processor time of this thread in milliseconds, which leaves out other work of the machine. */
function getThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the least processor time of three runs of `work`, in milliseconds. */
export function measureCpuMs(work: () => unknown): number {
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const before = getThreadMs();
    work();
    least = Math.min(least, getThreadMs() - before);
  }
  return least;
}

/**
 * Returns the longest time that `work` blocked the event loop: processor time between two iterations, in
 * milliseconds.
 */
export async function measureLongestBlock<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  let isOver = false;
  let longest = 0;
  let before = getThreadMs();
  const done = work().finally(() => (isOver = true));
  // Awaited below.
  done.catch(() => undefined);
  while (!isOver) {
    await nextIteration();
    longest = Math.max(longest, getThreadMs() - before);
    before = getThreadMs();
  }
  return { ms: longest, value: await done };
}
