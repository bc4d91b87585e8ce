import { minutes } from "~/lib/durations";
import { CLOCK_TOLERANCE_MS } from "~/services/service-deps";

/** Time from password to code, and lifetime of the cookie, which the browser ends by its own clock. */
export const PENDING_MS = minutes(5);

/**
 * A login whose password was verified a moment ago and that still needs a code. It is no session, and only the login's
 * second step reads it, from a cookie that we signed. Changing the password invalidates it.
 */
export interface PendingLogin {
  readonly needsCode: true;
  readonly accountId: string;
  /** `getPasswordFingerprint` of the hash that was verified. */
  readonly passwordFingerprint: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export function createPendingLogin(
  account: { accountId: string; passwordFingerprint: string },
  now: number,
): PendingLogin {
  const { accountId, passwordFingerprint } = account;
  return { needsCode: true, accountId, passwordFingerprint, expiresAt: now + PENDING_MS };
}

/** Returns whether a pending login has expired by the clock of any instance (hardening R35). */
export const isPendingLoginOver = (pending: PendingLogin, now: number): boolean =>
  pending.expiresAt + CLOCK_TOLERANCE_MS <= now;
