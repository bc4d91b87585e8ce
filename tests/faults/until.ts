import { setTimeout as pause } from "node:timers/promises";

/**
 * Looks again and again, every `everyMs`. Not expect.poll, whose failed looks cost so much that at this pace they would
 * slow down the servers in the same process.
 * @throws after `withinMs`, saying `what` did not come.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { withinMs = 30_000, everyMs = 2 } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${withinMs} ms`);
    await pause(everyMs);
  }
}
