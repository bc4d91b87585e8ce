import type { Selectable } from "kysely";
import type { EmailChangesTable } from "~/db/tables/accounts";
import { hours } from "~/lib/durations";

/** Lifetime of a link. */
export const EMAIL_CHANGE_LIFETIME_MS = hours(24);

/**
 * "taken": another account has the new address, or the server's settings protect it or the account's present one.
 * "unknown": a link that was deleted, or never existed.
 */
export type EmailChangeState = "open" | "used" | "withdrawn" | "expired" | "taken" | "unknown";

/** Returns the state of a link. @param isTaken whether the new address can not be this account's. */
export function getEmailChangeState(
  change: Pick<Selectable<EmailChangesTable>, "confirmed_at" | "withdrawn_at" | "expires_at"> | undefined,
  isTaken: boolean,
  now: number,
): EmailChangeState {
  if (!change) return "unknown";
  if (change.confirmed_at !== null) return "used";
  if (change.withdrawn_at !== null) return "withdrawn";
  if (change.expires_at <= now) return "expired";
  return isTaken ? "taken" : "open";
}
