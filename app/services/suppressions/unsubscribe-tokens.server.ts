import { createSignedTokens } from "~/services/secrets/signed-tokens.server";

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>;

/** The token of an unsubscribe link: it is about one mail (RFC 8058), and it never expires. */
export function createUnsubscribeTokens(secret: string) {
  const tokens = createSignedTokens(secret, "unsubscribe");
  return {
    tokenFor: (deliveryId: string): string => tokens.tokenFor(deliveryId),
    /** Undefined for a token this product did not make. */
    deliveryIdFrom: (token: string): string | undefined => tokens.subjectFrom(token),
  };
}
