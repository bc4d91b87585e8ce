import { setProcessTimer } from "./set-timer.ts";

/** Waits for work, at most `ms`. @returns undefined when it takes longer; a later rejection is ignored. */
export async function within<Result>(
  ms: number,
  work: Promise<Result>,
  setTimer = setProcessTimer,
): Promise<Result | undefined> {
  work.catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = setTimer(ms, () => resolve(undefined));
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
