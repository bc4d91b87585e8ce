import { hash } from "node:crypto";

const TOKEN = /^[\w-]{43}$/;

/** Creates the secret part of a link that gives access: 256 bits, which cannot be guessed. */
export const createLinkToken = (randomBytes: (count: number) => Buffer): string =>
  randomBytes(32).toString("base64url");

/** Returns whether a text can be a token at all. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text);

/** Plain SHA-256, hex: 256 random bits need no salt and no slow hash. */
export const hashLinkToken = (token: string): string => hash("sha256", token);
