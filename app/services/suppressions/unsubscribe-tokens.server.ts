import { createHmac, timingSafeEqual } from "node:crypto";

const MAC_BYTES = 16;
/** So that a code of the same secret made for another purpose opens nothing here. */
const PURPOSE = "unsubscribe:";

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>;

/**
 * The unguessable part of an unsubscribe link: `{delivery id}.{code}`, the code a truncated HMAC-SHA-256. It says for
 * itself whom it is for, so that a click needs no cookie and no login (RFC 8058), and it never expires.
 */
export function createUnsubscribeTokens(secret: string) {
  const codeOf = (deliveryId: string) =>
    createHmac("sha256", secret).update(`${PURPOSE}${deliveryId}`).digest().subarray(0, MAC_BYTES);

  return {
    tokenFor: (deliveryId: string): string => `${deliveryId}.${codeOf(deliveryId).toString("base64url")}`,

    /** Undefined for a token this product did not make. */
    deliveryIdFrom(token: string): string | undefined {
      const [deliveryId = "", code = "", ...rest] = token.split(".");
      const given = Buffer.from(code, "base64url");
      if (given.length !== MAC_BYTES || rest.length > 0) return undefined;
      return timingSafeEqual(given, codeOf(deliveryId)) ? deliveryId : undefined;
    },
  };
}
