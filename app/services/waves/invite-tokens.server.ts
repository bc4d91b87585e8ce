import { createSignedTokens } from "~/services/secrets/signed-tokens.server";

/** What a code is made of. */
export interface InviteLink {
  readonly id: string;
  readonly issue: number;
}

export type InviteTokens = ReturnType<typeof createInviteTokens>;

/**
 * Creates and verifies the codes of invitations, from the invitation and the number of its link: nothing secret is
 * stored, and a new link ends the old one.
 */
export function createInviteTokens(secret: string, previous?: string) {
  const tokens = createSignedTokens(secret, "invite", previous);
  return {
    /** Returns a code of 61 characters or a few more, safe in a URL. */
    createToken: ({ id, issue }: InviteLink): string => tokens.createToken(`${id}_${issue.toString(36)}`),

    /** Returns what a code was made of; undefined for a forged one. */
    readToken(token: string): InviteLink | undefined {
      const [id, issue] = tokens.readSubject(token)?.split("_") ?? [];
      return id && issue ? { id, issue: parseInt(issue, 36) } : undefined;
    },
  };
}
