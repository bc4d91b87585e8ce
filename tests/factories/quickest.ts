import { expect } from "vitest";

/** Most runs on a busy machine, each with its chance of a quiet moment. */
const MOST_RUNS = 100;

/**
 * Expects the quickest run of each query to take less than some milliseconds: other work of the machine only ever
 * adds to its time.
 */
export async function expectQuick(
  withinMs: number,
  queries: Record<string, () => Promise<unknown>>,
): Promise<void> {
  for (const [name, query] of Object.entries(queries)) {
    let quickest = Infinity;
    for (let run = 0; run < MOST_RUNS && quickest >= withinMs; run += 1) {
      const startedAt = performance.now();
      await query();
      quickest = Math.min(quickest, performance.now() - startedAt);
    }
    expect(quickest, name).toBeLessThan(withinMs);
  }
}
