import { vi } from "vitest";

/** Waits until the condition returns a value that is not falsy, and returns it; fails after 20 s. */
export const waitUntil = <T>(condition: () => T | Promise<T>) => vi.waitUntil(condition, { timeout: 20_000 });
