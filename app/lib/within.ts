/** Waits for work, at most `ms`. @returns undefined when it takes longer; a later rejection is ignored. */
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
