import { createHmac, timingSafeEqual } from "node:crypto";

const MAC_BYTES = 16;

export type SignedTokens = ReturnType<typeof createSignedTokens>;

/**
 * The unguessable part of a link that is its own permission: `{subject}.{code}`, the code a truncated HMAC-SHA-256. It
 * says for itself what it is about, so that a click needs no cookie and no login.
 * @param purpose so that a code of the same secret made for another purpose opens nothing here.
 */
export function createSignedTokens(secret: string, purpose: string) {
  const codeOf = (subject: string) =>
    createHmac("sha256", secret).update(`${purpose}:${subject}`).digest().subarray(0, MAC_BYTES);

  return {
    /** @param subject without dots, and fit for a URL. */
    tokenFor: (subject: string): string => `${subject}.${codeOf(subject).toString("base64url")}`,

    /** Undefined for a token this product did not make for this purpose. */
    subjectFrom(token: string): string | undefined {
      const [subject = "", code = "", ...rest] = token.split(".");
      const given = Buffer.from(code, "base64url");
      if (given.length !== MAC_BYTES || rest.length > 0) return undefined;
      return timingSafeEqual(given, codeOf(subject)) ? subject : undefined;
    },
  };
}
