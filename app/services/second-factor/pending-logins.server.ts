import { hash, timingSafeEqual } from "node:crypto";
import { minutes } from "~/lib/durations";
import { createSignedTokens } from "~/services/secrets/signed-tokens.server";
import { CLOCK_TOLERANCE_MS, type Clock } from "~/services/service-deps";

/** Time from password to code, and lifetime of the cookie, which the browser ends by its own clock. */
export const PENDING_MS = minutes(5);

export type PendingLogins = ReturnType<typeof createPendingLogins>;

/**
 * Creates the token of a login whose password was verified a moment ago. It is no session: it names the account, its
 * password and the expiry, and only the login's second step reads it. Changing the password invalidates it.
 */
export function createPendingLogins({ secret, clock }: { secret: string; clock: Clock }) {
  const tokens = createSignedTokens(secret, "pending login");
  return {
    createToken: (accountId: string, passwordHash: string): string =>
      tokens.createToken(
        [accountId, (clock() + PENDING_MS).toString(36), toFingerprint(passwordHash)].join("_"),
      ),

    /** Reads a token; undefined when it is not this product's, or expired by the clock of any instance. */
    readToken(token: string) {
      const [accountId, end = "", print = ""] = tokens.readSubject(token)?.split("_") ?? [];
      if (!accountId || parseInt(end, 36) + CLOCK_TOLERANCE_MS <= clock()) return undefined;
      return {
        accountId,
        /** Returns whether the account still has the password that was verified. */
        matches: (passwordHash: string): boolean =>
          timingSafeEqual(Buffer.from(print), Buffer.from(toFingerprint(passwordHash))),
      };
    },
  };
}

/** Fingerprint of a password hash, in hex, so that it contains none of the token's separators. */
const toFingerprint = (passwordHash: string) => hash("sha256", passwordHash).slice(0, 32);
