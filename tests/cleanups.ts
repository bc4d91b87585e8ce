import { afterEach } from "vitest";

/** Runs cleanups after each test, the last one first. @returns the function that adds a cleanup. */
export function useCleanups(): (cleanup: () => unknown) => void {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  return (cleanup) => void cleanups.push(cleanup);
}
