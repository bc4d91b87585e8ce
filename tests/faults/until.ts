import { setTimeout as pause } from "node:timers/promises";

/**
 * Polls a condition every `everyMs`. Not expect.poll, whose failed attempts cost so much that at this rate they
 * would slow down the servers in the same process.
 * @throws after `withinMs`, naming `what`.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { withinMs = 30_000, everyMs = 2 } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await pause(everyMs);
  }
}
