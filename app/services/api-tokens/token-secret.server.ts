import { createHash, timingSafeEqual } from "node:crypto";

/** Lets people and secret scanners recognise a leaked token. */
const TOKEN_MARK = "fd_";
const RANDOM_BYTES = 32;
/** Length of the prefix shown for recognition: 48 of the 256 random bits. */
const PREFIX_LENGTH = TOKEN_MARK.length + 8;
const TOKEN = /^fd_[A-Za-z0-9_-]{43}$/;

/** A token in clear: shown once, never stored. */
interface TokenSecret {
  readonly token: string;
  readonly prefix: string;
  readonly hash: string;
}

/** @param randomBytes returns `count` bytes of cryptographic randomness. */
export function createTokenSecret(randomBytes: (count: number) => Buffer): TokenSecret {
  const token = TOKEN_MARK + randomBytes(RANDOM_BYTES).toString("base64url");
  return { token, prefix: getTokenPrefix(token), hash: hashToken(token) };
}

/** Returns whether a value has the form of a token; checked before the database is asked. */
export function looksLikeToken(value: string): boolean {
  return TOKEN.test(value);
}

export function getTokenPrefix(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

/** Formats a token for the audit: "Newsletter (fd_Ab3dE5gH...)". */
export function formatTokenLabel({ name, prefix }: { name: string; prefix: string }): string {
  return `${name} (${prefix}...)`;
}

/** Compares a stored hash with a token's, in a time that does not depend on how much of it matches (C11). */
export function matchesHash(storedHash: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(storedHash, "hex"), Buffer.from(hashToken(token), "hex"));
}

/** Plain SHA-256: 256 random bits need no salt and no slow hash, because they cannot be guessed. */
function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
