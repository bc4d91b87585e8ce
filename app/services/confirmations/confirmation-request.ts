import type { Selectable } from "kysely";
import type { ConfirmationsTable } from "~/db/tables/confirmations";
import type { SuppressionsTable } from "~/db/tables/suppressions";
import { hours } from "~/lib/durations";
import type { ConfirmationRequest } from "./confirmation-tokens.server";

/** The one form whose signups wait for the owner of the address. */
export const CONFIRMED_KIND = "updates-signup";

/** How long a link works. */
export const LINK_LIFETIME_MS = hours(48);
/** No second mail to the same address within this. */
export const EMAIL_INTERVAL_MS = hours(1);

export type Confirmation = Selectable<ConfirmationsTable>;

/** What a link is good for now. "unknown" is also one about a request that is no more. */
export type LinkState = "open" | "confirmed" | "expired" | "unknown";

/** @param request the request the link names, as it stands in the database. */
export function getLinkState(
  link: ConfirmationRequest,
  request: Pick<Confirmation, "confirmed_at"> | undefined,
  now: number,
): LinkState {
  if (!request) return "unknown";
  if (request.confirmed_at !== null) return "confirmed";
  return isExpired(link, now) ? "expired" : "open";
}

export function isExpired({ asked_at }: Pick<ConfirmationRequest, "asked_at">, now: number): boolean {
  return now >= asked_at + LINK_LIFETIME_MS;
}

/**
 * What another signup of an address that was asked before means.
 * - confirmed: it need not be asked again.
 * - waits: a mail is on its way, or came within the hour (`mailedAt`).
 * - ask: with a new link, in a mail that goes not before the time given.
 * - renew: the same, and what was confirmed before counts no more.
 */
export type NextStep =
  | { step: "confirmed" }
  | { step: "waits"; emailedAt?: number }
  | { step: "ask" | "renew"; notBefore: number };

/** @param suppression why the address gets no mail: who unsubscribed must say that they want mail again. */
export function getNextStep(
  request: Pick<Confirmation, "asked_at" | "confirmed_at" | "state" | "updated_at">,
  suppression: SuppressionsTable["reason"] | null,
  now: number,
): NextStep {
  const isRecentlyEmailed = isEmailed(request.state) && request.updated_at > now - EMAIL_INTERVAL_MS;
  if (request.confirmed_at !== null) {
    if (suppression !== "unsubscribed") return { step: "confirmed" };
    return { step: "renew", notBefore: isRecentlyEmailed ? request.updated_at + EMAIL_INTERVAL_MS : 0 };
  }
  if (isRecentlyEmailed) return { step: "waits", emailedAt: request.updated_at };
  const isOnItsWay = isUnderWay(request.state) && !isExpired(request, now);
  return isOnItsWay ? { step: "waits" } : { step: "ask", notBefore: 0 };
}

/** Whether a mail server was spoken to, so that the mail may have arrived. */
function isEmailed(state: Confirmation["state"]): boolean {
  return state === "sent" || state === "failed" || state === "uncertain";
}

function isUnderWay(state: Confirmation["state"]): boolean {
  return state === "pending" || state === "claimed" || state === "retrying";
}
