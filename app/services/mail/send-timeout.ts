import { seconds } from "~/lib/durations";
import type { SetTimer } from "~/services/service-deps";

const TIMEOUT_MS = seconds(30);

/**
 * Limits how long a request waits for an email to be sent: a mail server may take ten minutes to respond
 * (hardening R32).
 * @returns the result of `sending`, or undefined after 30 s: sending then continues in the background, and the
 *   caller reports that the email may arrive.
 */
export async function withSendTimeout<T>(sending: Promise<T>, setTimer: SetTimer): Promise<T | undefined> {
  const { promise: timedOut, resolve } = Promise.withResolvers<undefined>();
  const cancel = setTimer(TIMEOUT_MS, () => resolve(undefined));
  try {
    return await Promise.race([sending, timedOut]);
  } finally {
    cancel();
  }
}
