import { createHash, timingSafeEqual } from "node:crypto";

/** So that people and programs that look for leaked secrets know one when they see it. */
const MARK = "fd_";
const RANDOM_BYTES = 32;
/** 48 of its 256 random bits are shown for recognition. */
const SHOWN_LENGTH = MARK.length + 8;
const TOKEN = /^fd_[A-Za-z0-9_-]{43}$/;

/** A token in clear: shown once, kept nowhere. */
interface TokenSecret {
  readonly token: string;
  readonly prefix: string;
  readonly hash: string;
}

/** @param randomBytes cryptographic randomness, so many bytes of it. */
export function newTokenSecret(randomBytes: (count: number) => Buffer): TokenSecret {
  const token = MARK + randomBytes(RANDOM_BYTES).toString("base64url");
  return { token, prefix: prefixOf(token), hash: hashOf(token) };
}

/** Whether this can be a token of ours; asked before a database is. */
export function looksLikeToken(value: string): boolean {
  return TOKEN.test(value);
}

export function prefixOf(token: string): string {
  return token.slice(0, SHOWN_LENGTH);
}

/** What the audit calls a token: "Newsletter (fd_Ab3dE5gH...)". */
export function tokenLabel({ name, prefix }: { name: string; prefix: string }): string {
  return `${name} (${prefix}...)`;
}

/** Whether the stored hash is this token's, in a time that does not depend on how much of it is right (C11). */
export function isHashOf(storedHash: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(storedHash, "hex"), Buffer.from(hashOf(token), "hex"));
}

/** 256 random bits need no salt and no slow hash: there is nothing to guess. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
