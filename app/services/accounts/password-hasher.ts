/** In UTF-16 units, as a form field's maxlength counts: the longest password there is. */
export const LONGEST_PASSWORD = 1000;

/**
 * The port for passwords.
 *
 * Contract
 * - `verify` takes the same time whether there is a stored hash or not, so that an unknown address looks like a wrong
 *   password (C2).
 * - Hashing runs off the event loop, a few at a time; when too many wait, `verify` answers "busy" (C4).
 * - Networks share the turns: next is the one that had fewest, and only those of the network that had and wants most are
 *   refused as "busy" (C40).
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** @param network whose turn it takes: limitKey of the address the password came from. */
  verify(stored: string | undefined, password: string, network: string): Promise<PasswordVerdict>;
}

/** What to wait after "busy", in seconds. */
export const BUSY_RETRY_SECONDS = 1;

/** "outdated": it matches, but was hashed with older settings and should be hashed again. */
export type PasswordVerdict = "match" | "outdated" | "mismatch" | "busy";
