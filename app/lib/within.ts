/**
 * Waits for work, but no longer than `ms`.
 * @returns what it resolves with; undefined when it takes longer. Nobody hears of a failure that comes later still.
 */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  work.catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
