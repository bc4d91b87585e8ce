/** Maximum password length in UTF-16 units, as a form field's maxlength counts. */
export const MAX_PASSWORD_LENGTH = 1000;

/**
 * Port for hashing passwords.
 *
 * Contract
 * - `verify` takes the same time with and without a stored hash, so that an unknown address looks like a wrong
 *   password (C2).
 * - Both run off the event loop, `verify` a few at a time; when too many requests wait, it returns "busy" (C4).
 * - Sites (an IPv4 address, or an IPv6 /48) share the capacity fairly, and within them networks (an IPv6 /64; C40): the one
 *   served least is next, and "busy" goes to the site with the most requests served and waiting together (C49).
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** @param address the network address that the password came from, whose network is charged for the work. */
  verify(stored: string | undefined, password: string, address: string): Promise<PasswordVerdict>;
}

/** Seconds to wait before retrying after "busy". */
export const BUSY_RETRY_SECONDS = 1;

/** "outdated": the password matches, but was hashed with older settings and should be hashed again. */
export type PasswordVerdict = "match" | "outdated" | "mismatch" | "busy";
