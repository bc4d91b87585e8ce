/**
 * The port for passwords.
 *
 * Contract
 * - `verify` takes the same time whether there is a stored hash or not, so that an unknown address looks like a wrong
 *   password (C2).
 * - Hashing runs off the event loop, a few at a time; when too many wait, `verify` answers "busy" at once (C4).
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(stored: string | undefined, password: string): Promise<PasswordVerdict>;
}

/** "outdated": it matches, but was hashed with older settings and should be hashed again. */
export type PasswordVerdict = "match" | "outdated" | "mismatch" | "busy";
