import { afterEach } from "vitest";

/** @returns what a test tells what is to be done once it is over; the last is done first. */
export function useCleanups(): (cleanup: () => unknown) => void {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  return (cleanup) => void cleanups.push(cleanup);
}
