import { createSignedTokens } from "~/services/secrets/signed-tokens.server";

/** What a link is about: a request, and when it was asked. */
export interface ConfirmationRequest {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly asked_at: number;
}

export type ConfirmationTokens = ReturnType<typeof createConfirmationTokens>;

/**
 * The token of a link that confirms an address. It carries its own age, so that a link sent before stays good until its
 * own time is over; whether it was used is in the database.
 */
export function createConfirmationTokens(secret: string) {
  const tokens = createSignedTokens(secret, "confirm");
  return {
    tokenFor: ({ id, asked_at }: ConfirmationRequest): string =>
      tokens.tokenFor(`${id}_${asked_at.toString(36)}`),

    /** Undefined for a token this product did not make. */
    requestFrom(token: string): ConfirmationRequest | undefined {
      const [id, time] = tokens.subjectFrom(token)?.split("_") ?? [];
      return id && time ? { id, asked_at: parseInt(time, 36) } : undefined;
    },
  };
}
