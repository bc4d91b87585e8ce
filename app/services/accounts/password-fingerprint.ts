import { hash } from "node:crypto";

/**
 * Returns a fingerprint of a stored password hash, in hex. A login carries it from the password to its session, which begins
 * only if the password is still the same (hardening C6). It opens nothing by itself.
 */
export const getPasswordFingerprint = (passwordHash: string): string =>
  hash("sha256", passwordHash).slice(0, 32);
