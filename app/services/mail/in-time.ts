import { seconds } from "~/lib/durations";
import type { SetTimer } from "~/services/clock";

const PATIENCE_MS = seconds(30);

/**
 * For a request that sends a mail: it cannot wait the ten minutes that a mail server may take for its answer (hardening R32).
 * @returns how `sending` ends, or undefined when that takes more than 30 s: it continues by itself then, and whoever asked
 *   is told that the mail may arrive.
 */
export async function inTime<T>(sending: Promise<T>, setTimer: SetTimer): Promise<T | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
  const cancel = setTimer(PATIENCE_MS, () => resolve(undefined));
  try {
    return await Promise.race([sending, tooLate]);
  } finally {
    cancel();
  }
}
