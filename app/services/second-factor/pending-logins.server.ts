import { createHash, timingSafeEqual } from "node:crypto";
import { minutes } from "~/lib/durations";
import { CLOCK_TOLERANCE_MS } from "~/services/clock";
import type { Clock } from "~/services/clock";
import { createSignedTokens } from "~/services/secrets/signed-tokens.server";

/** From the right password to the right code; the life of the cookie, which the browser ends by its own clock. */
export const PENDING_MS = minutes(5);

interface PendingLogin {
  readonly accountId: string;
  /** Whether this is still the password that was given. */
  isFor(passwordHash: string): boolean;
}

export type PendingLogins = ReturnType<typeof createPendingLogins>;

/**
 * Says that somebody knew an account's password a moment ago. It is no session: it names the account, the password it was
 * and its own end, and only the second step of the login reads it. Another password ends it.
 */
export function createPendingLogins({ secret, clock }: { secret: string; clock: Clock }) {
  const tokens = createSignedTokens(secret, "pending login");
  return {
    tokenFor: (accountId: string, passwordHash: string): string =>
      tokens.tokenFor([accountId, (clock() + PENDING_MS).toString(36), printOf(passwordHash)].join("_")),

    /** Undefined for a token this product did not make, and for one whose time is over by the clock of any instance. */
    from(token: string): PendingLogin | undefined {
      const [accountId, end = "", print = ""] = tokens.subjectFrom(token)?.split("_") ?? [];
      if (!accountId || parseInt(end, 36) + CLOCK_TOLERANCE_MS <= clock()) return undefined;
      return {
        accountId,
        isFor: (passwordHash) => timingSafeEqual(Buffer.from(print), Buffer.from(printOf(passwordHash))),
      };
    },
  };
}

/** In hex, so that it holds none of the signs between the parts. */
function printOf(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("hex").slice(0, 32);
}
