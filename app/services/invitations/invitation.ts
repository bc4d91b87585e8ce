import type { Selectable } from "kysely";
import type { InvitationsTable } from "~/db/tables/accounts";
import { hours } from "~/lib/durations";

/** Lifetime of a link. */
export const INVITATION_LIFETIME_MS = hours(72);

/** "used" includes an address that got an account in another way; "unknown" a link that was deleted, or never existed. */
export type InvitationState = "open" | "used" | "revoked" | "expired" | "unknown";

/** Returns the state of a link. @param hasAccount whether the invited address has an account. */
export function getInvitationState(
  invitation: Pick<Selectable<InvitationsTable>, "accepted_at" | "revoked_at" | "expires_at"> | undefined,
  hasAccount: boolean,
  now: number,
): InvitationState {
  if (!invitation) return "unknown";
  if (invitation.accepted_at !== null || hasAccount) return "used";
  if (invitation.revoked_at !== null) return "revoked";
  return invitation.expires_at <= now ? "expired" : "open";
}
