import { createHmac, timingSafeEqual } from "node:crypto";

const MAC_BYTES = 16;

export type SignedTokens = ReturnType<typeof createSignedTokens>;

/**
 * Creates and verifies texts that only this product can have created, such as the part of a link that is its own
 * permission: `{subject}.{code}`, where the code is a truncated HMAC-SHA-256. A token carries its subject, so that
 * a click needs no cookie and no login.
 * @param purpose separates the codes of one secret: a code made for another purpose is invalid here.
 * @param previous the secret before a change: its tokens stay valid, and none is created with it.
 */
export function createSignedTokens(secret: string, purpose: string, previous?: string) {
  const computeCode = (subject: string, key = secret) =>
    createHmac("sha256", key).update(`${purpose}:${subject}`).digest().subarray(0, MAC_BYTES);
  const verifyingKeys = previous === undefined ? [secret] : [secret, previous];

  return {
    /** @param subject without dots, and safe in a URL. */
    createToken: (subject: string): string => `${subject}.${computeCode(subject).toString("base64url")}`,

    /** Returns the subject, or undefined for a token that this product did not create for this purpose. */
    readSubject(token: string): string | undefined {
      const [subject = "", code = "", ...rest] = token.split(".");
      const signature = Buffer.from(code, "base64url");
      if (signature.length !== MAC_BYTES || rest.length > 0) return undefined;
      const isValid = verifyingKeys.some((key) => timingSafeEqual(signature, computeCode(subject, key)));
      return isValid ? subject : undefined;
    },
  };
}
