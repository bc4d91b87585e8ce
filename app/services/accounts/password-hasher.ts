/** Maximum password length in UTF-16 units, as a form field's maxlength counts. */
export const MAX_PASSWORD_LENGTH = 1000;

/**
 * Port for hashing passwords.
 *
 * Contract
 * - `verify` takes the same time with and without a stored hash, so that an unknown address looks like a wrong
 *   password (C2).
 * - Hashing runs off the event loop, a few at a time; when too many requests wait, `verify` returns "busy"
 *   (C4).
 * - Sites share the capacity fairly, and within them networks: the one served least is next, and "busy" is returned
 *   only to the site that was served most and has most requests waiting (C40, C49).
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
