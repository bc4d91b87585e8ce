import { createSignedTokens } from "~/services/secrets/signed-tokens.server";

/** The confirmation request a link identifies. */
export interface ConfirmationRequest {
  readonly id: string;
  /** When the confirmation was requested, in epoch milliseconds. */
  readonly asked_at: number;
}

export type ConfirmationTokens = ReturnType<typeof createConfirmationTokens>;

/**
 * Creates and verifies the tokens of confirmation links. A token holds its own time, so that an earlier link
 * stays valid for its own lifetime; the database records whether it was used.
 */
export function createConfirmationTokens(secret: string) {
  const tokens = createSignedTokens(secret, "confirm");
  return {
    tokenFor: ({ id, asked_at }: ConfirmationRequest): string =>
      tokens.createToken(`${id}_${asked_at.toString(36)}`),

    /** Returns the request of a token; undefined for a forged one. */
    requestFrom(token: string): ConfirmationRequest | undefined {
      const [id, time] = tokens.readSubject(token)?.split("_") ?? [];
      return id && time ? { id, asked_at: parseInt(time, 36) } : undefined;
    },
  };
}
