import { setImmediate as turn } from "node:timers/promises";

/** So often it is measured; the first time the compiler works as well. */
const RUNS = 3;

/** Processor time of this thread alone, in milliseconds: what else the machine does is not in it. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The processor time that `work` takes, in milliseconds: the least of three runs. */
export function cpuMs(work: () => unknown): number {
  let least = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const before = threadMs();
    work();
    least = Math.min(least, threadMs() - before);
  }
  return least;
}

/**
 * The longest that the event loop was held while `work` went on: processor time between two of its turns, in milliseconds.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  let isOver = false;
  let longest = 0;
  let before = threadMs();
  const done = work().finally(() => (isOver = true));
  // Looked at below.
  done.catch(() => undefined);
  while (!isOver) {
    await turn();
    longest = Math.max(longest, threadMs() - before);
    before = threadMs();
  }
  return { ms: longest, value: await done };
}
