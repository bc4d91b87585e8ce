import type { Selectable } from "kysely";
import type { ConfirmationsTable, SuppressionsTable } from "~/db/tables/outreach";
import type { TransactionalEmailsTable } from "~/db/tables/transactional-emails";
import { hours } from "~/lib/durations";
import { createSignedTokens } from "~/services/secrets/signed-tokens.server";

/** The forms whose submissions can wait for a confirmation. */
export const CONFIRMED_KINDS = ["early-access", "updates-signup"] as const;
export type ConfirmedKind = (typeof CONFIRMED_KINDS)[number];

/** What a link confirms besides the address: a signup of either form, or nothing. */
export const CONFIRMED_SUBJECTS = [...CONFIRMED_KINDS, "address"] as const;
export type ConfirmedSubject = (typeof CONFIRMED_SUBJECTS)[number];

/** Lifetime of a link. */
export const LINK_LIFETIME_MS = hours(48);
/** Least time between two confirmation emails to one address. */
export const EMAIL_INTERVAL_MS = hours(1);

type Confirmation = Selectable<ConfirmationsTable>;

/** The state of a link. "unknown" includes the link of a deleted request. */
export type LinkState = "open" | "confirmed" | "expired" | "unknown";

/** @param request the stored request of the link. */
export function getLinkState(
  link: ConfirmationRequest,
  request: Pick<Confirmation, "confirmed_at"> | undefined,
  now: number,
): LinkState {
  if (!request) return "unknown";
  if (request.confirmed_at !== null) return "confirmed";
  return isExpired(link, now) ? "expired" : "open";
}

export function isExpired({ requested_at }: Pick<ConfirmationRequest, "requested_at">, now: number): boolean {
  return now >= requested_at + LINK_LIFETIME_MS;
}

/**
 * The effect of another signup on an existing confirmation request.
 * - confirmed: the address is confirmed; no email is needed.
 * - waits: an email is being sent, or was sent within the hour (`emailedAt`).
 * - ask: a new link is sent, not before `notBefore`.
 * - renew: as `ask`, and the request gets a new id, with which its earlier links are void.
 */
export type NextStep =
  | { step: "confirmed" }
  | { step: "waits"; emailedAt?: number }
  | { step: "ask" | "renew"; notBefore: number };

interface NewestEmail extends Pick<TransactionalEmailsTable, "state" | "updated_at"> {
  readonly data: Pick<ConfirmationRequest, "about">;
}

/**
 * @param email the email with the newest link; undefined when it was swept.
 * @param asked.about what a new link would confirm.
 * @param asked.suppression the reason the address is suppressed: an unsubscribed one must be confirmed again.
 */
export function getNextStep(
  request: Pick<Confirmation, "requested_at" | "confirmed_at">,
  email: NewestEmail | undefined,
  {
    about,
    suppression,
  }: Pick<ConfirmationRequest, "about"> & { suppression: SuppressionsTable["reason"] | null },
  now: number,
): NextStep {
  const state = email?.state ?? "skipped";
  // In these states the email may have arrived, because a mail server was contacted.
  const isEmailed = state === "sent" || state === "failed" || state === "uncertain";
  const emailedAt =
    email && isEmailed && email.updated_at > now - EMAIL_INTERVAL_MS ? email.updated_at : undefined;
  const notBefore = emailedAt === undefined ? 0 : emailedAt + EMAIL_INTERVAL_MS;
  const isUnsubscribed = suppression === "unsubscribed";
  if (request.confirmed_at !== null) {
    return isUnsubscribed ? { step: "renew", notBefore } : { step: "confirmed" };
  }
  // A link about the address alone leaves it unsubscribed: whoever signed up again needs another one, which it must not use up.
  if (isUnsubscribed && about !== "address" && (!email || email.data.about === "address")) {
    return { step: "renew", notBefore };
  }
  if (emailedAt !== undefined) return { step: "waits", emailedAt };
  const isOnItsWay = !isEmailed && state !== "skipped" && !isExpired(request, now);
  return isOnItsWay ? { step: "waits" } : { step: "ask", notBefore: 0 };
}

/** The confirmation request a link identifies. */
export type ConfirmationRequest = Pick<Confirmation, "id" | "requested_at"> & {
  /** Left out: a signup for updates. */
  readonly about?: ConfirmedSubject | undefined;
};

export type ConfirmationTokens = ReturnType<typeof createConfirmationTokens>;

/**
 * Creates and verifies the tokens of confirmation links. A token holds its own time, so that an earlier link
 * stays valid for its own lifetime; the database records whether it was used.
 */
export function createConfirmationTokens(secret: string, previous?: string) {
  const tokens = createSignedTokens(secret, "confirm", previous);
  return {
    createToken: ({ id, requested_at, about }: ConfirmationRequest): string => {
      const subject = about === undefined || about === "updates-signup" ? "" : `_${about}`;
      return tokens.createToken(`${id}_${requested_at.toString(36)}${subject}`);
    },

    /** Returns the request of a token; undefined for a forged one. */
    readToken(token: string): ConfirmationRequest | undefined {
      const [id, time, subject] = tokens.readSubject(token)?.split("_") ?? [];
      if (!id || !time) return undefined;
      const about = CONFIRMED_SUBJECTS.find((known) => known === subject);
      return { id, requested_at: parseInt(time, 36), ...(about && { about }) };
    },
  };
}
