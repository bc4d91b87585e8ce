import type { TransactionalEmailsTable } from "~/db/tables/transactional-emails";
import type { Attempt } from "./transactional-emails.server";

/**
 * What became of an email that somebody asked for, with the mail server's words or the reason in `detail`.
 * - none: no email was asked for.
 * - queued: it is on its way to the mail server.
 * - not-sent: it certainly did not arrive; another one may be sent.
 * - unknown: it may have arrived.
 */
export interface EmailState {
  readonly kind: "none" | "queued" | "accepted" | "refused" | "not-sent" | "unknown";
  readonly detail: string;
}

const KINDS: Record<TransactionalEmailsTable["state"], EmailState["kind"]> = {
  pending: "queued",
  claimed: "queued",
  retrying: "queued",
  sent: "accepted",
  failed: "refused",
  skipped: "not-sent",
  uncertain: "unknown",
};

/** @param email the email's row; undefined or null without one. */
export function getEmailState(
  email: { state: TransactionalEmailsTable["state"] | null; detail: string | null } | undefined,
): EmailState {
  if (!email?.state) return { kind: "none", detail: "" };
  return { kind: KINDS[email.state], detail: email.detail ?? "" };
}

/** Returns the state after an attempt to send it at once; undefined: it goes on in the background. */
export function toEmailState(attempt: Attempt<unknown> | undefined): EmailState {
  // "known" cannot be: the keys of these emails are new each time.
  if (!attempt || attempt.kind === "known") return { kind: "queued", detail: "" };
  if (attempt.kind === "suppressed") return { kind: "not-sent", detail: "suppressed" };
  if (attempt.kind === "rate-limited") return { kind: "not-sent", detail: "rate-limited" };
  const { kind, detail } = attempt.outcome;
  if (kind === "accepted" || kind === "refused" || kind === "unknown") return { kind, detail };
  return { kind: "not-sent", detail };
}
