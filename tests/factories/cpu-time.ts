import { setImmediate as nextIteration } from "node:timers/promises";

/** Number of measurements; the first one includes compilation. */
const RUNS = 3;

/** Returns the processor time of this thread in milliseconds, which leaves out other work of the machine. */
function getThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Leaves out what the system does for the thread, such as to find memory for it: no pattern makes that grow. */
const getOwnMs = (): number => process.threadCpuUsage().user / 1000;

/** Returns the least processor time of some runs of `work`, in milliseconds. */
export function measureCpuMs(work: () => unknown, runs = RUNS, getMs = getThreadMs): number {
  let least = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const before = getMs();
    work();
    least = Math.min(least, getMs() - before);
  }
  return least;
}

/**
 * Returns the longest time that `work` blocked the event loop: processor time between two iterations, in
 * milliseconds; and the processor time of all of it, which it would block for in one piece.
 */
export async function measureLongestBlock<T>(
  work: () => Promise<T>,
): Promise<{ ms: number; totalMs: number; value: T }> {
  let isOver = false;
  let longest = 0;
  const startedAt = getThreadMs();
  let before = startedAt;
  const done = work().finally(() => (isOver = true));
  // Awaited below.
  done.catch(() => undefined);
  while (!isOver) {
    await nextIteration();
    longest = Math.max(longest, getThreadMs() - before);
    before = getThreadMs();
  }
  return { ms: longest, totalMs: before - startedAt, value: await done };
}

/**
 * Returns the texts among those made of the units, at 32 Ki characters or another length, that take much more time as
 * one than in four pieces of a quarter: a pattern with linear time takes the same, one with quadratic time four times
 * as long.
 */
export function findSuperlinear(
  work: (text: string) => unknown,
  texts: readonly RepeatedText[],
  length = LENGTH,
): string[] {
  const repeat = ({ begin, unit, end }: RepeatedText, size: number) =>
    begin + unit.repeat(size / unit.length) + end;
  return texts
    .filter((text) => {
      const whole = repeat(text, length);
      const piece = repeat(text, length / 4);
      // Quadratic time shows in tens of milliseconds; less is not measured exactly enough to be compared, and one run of
      // short work may be interrupted by a longer collection of garbage.
      if ([1, RUNS].some((runs) => measureCpuMs(() => work(whole), runs, getOwnMs) < SHORT_MS)) return false;
      let wholeMs = 0;
      let piecesMs = 0;
      const isSlower = () => wholeMs > 2.5 * piecesMs;
      // By turns, and for long: some systems count processor time in ticks of four milliseconds. What seems slower is
      // measured for longer.
      while (Math.max(wholeMs, piecesMs) < (isSlower() ? SURE_MS : LONG_MS)) {
        wholeMs += measureCpuMs(() => work(whole), 1, getOwnMs);
        piecesMs += measureCpuMs(() => [1, 2, 3, 4].forEach(() => work(piece)), 1, getOwnMs);
      }
      return isSlower();
    })
    .map(({ begin, unit, end }) => JSON.stringify([begin, unit, end]));
}

const LENGTH = 32_768;
const SHORT_MS = 15;
const LONG_MS = 60;
const SURE_MS = 500;

/** A unit many times, between two ends. */
export interface RepeatedText {
  readonly begin: string;
  readonly unit: string;
  readonly end: string;
}
