import { hash } from "node:crypto";

/** Returns a fingerprint of a stored password hash, in hex: it changes with the password, and opens nothing by itself. */
export const getPasswordFingerprint = (passwordHash: string): string =>
  hash("sha256", passwordHash).slice(0, 32);
