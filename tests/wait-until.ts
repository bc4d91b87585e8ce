import { vi } from "vitest";

/** Waits until the condition returns a value that is not falsy, and returns it; fails after 20 s. */
export const waitUntil = <T>(condition: () => T | Promise<T>) => vi.waitUntil(condition, { timeout: 20_000 });

/** Yields to the event loop until the condition holds. For work of this process of which no step may be missed. */
export async function yieldUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
