import { afterEach, beforeEach, expect, vi } from "vitest";

/** Fails a test that calls console.error (style.md): React and libraries report real faults that way. */
const seen: unknown[][] = [];
beforeEach(() => {
  seen.length = 0;
  vi.spyOn(console, "error").mockImplementation((...args) => void seen.push(args));
});
afterEach(() => {
  const errors = seen.splice(0);
  vi.restoreAllMocks();
  expect(errors).toEqual([]);
});
