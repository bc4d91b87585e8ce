import type { DeliveryState } from "~/db/tables/outreach";
import type { IntegerBoolean } from "~/db/tables/columns";
import { hours, minutes } from "~/lib/durations";
import { requeue, retryLater, toDetail } from "~/services/queue/job-type";
import type { JobAttempts, JobResult } from "~/services/queue/job-type";
import type { SendOutcome } from "../mailer";
import { refusesMailbox } from "./refusal";

export const DELIVERY_STATES = [
  "pending",
  "claimed",
  "retrying",
  "sent",
  "failed",
  "skipped",
  "uncertain",
] as const satisfies readonly DeliveryState[];

/** Checks whether nothing more happens to an email by itself: it neither waits nor is being handed over. */
export const isSettled = (state: DeliveryState): boolean =>
  state !== "pending" && state !== "claimed" && state !== "retrying";

/** The states of an email that was sent, or may have been. */
export const SENT_STATES = ["sent", "uncertain"] as const satisfies readonly DeliveryState[];

/** Delays after the first to the sixth temporary failure; the seventh attempt is the last (hardening R9). */
export const RETRY_DELAYS = [minutes(10), minutes(15), minutes(30), hours(1), hours(2), hours(4)];

/**
 * Why an email was not sent. "suppressed": any reason but "unsubscribed". "expired": the link in it is no longer valid.
 * "confirmed": what it asks for was done. "interrupted": the program ended before it was handed over. Of automatic emails:
 * "bounced": the mailbox does not exist. "gone": nobody is signed up with the address any more. "rule-off": the rule was
 * turned off. "daily-limit": the address got another one on that day.
 * "no-account": it is for an account that was removed, or that may not see what it is about.
 * "too-late": it could not be sent within three days.
 * "no-invitation": of a wave, the person joined, or has no invitation of it or not this address any more.
 * The stored detail of a skipped email may also be "restored", "rate-limited", "erased", "duplicate" (the person has one of
 * this campaign at another address), or a mail server's words after the only attempt.
 */
export type SkipReason =
  | "unsubscribed"
  | "suppressed"
  | "invalid"
  | "cancelled"
  | "expired"
  | "confirmed"
  | "interrupted"
  | "bounced"
  | "gone"
  | "rule-off"
  | "daily-limit"
  | "no-account"
  | "too-late"
  | "no-invitation";

/** The result that ends a claim of an email. */
export interface DeliveryResult extends JobResult {
  readonly state: Exclude<DeliveryState, "claimed">;
  /** The state of the mail server the attempt shows; unset when it shows none. "refuses" is a permanent refusal. */
  readonly server?:
    "answers" | "refuses" | { readonly problem: "unreachable" | "unauthorized"; readonly detail: string };
  /** Adds the address to the suppression list. */
  readonly suppress?: true;
}

/** Converts the outcome of an attempt into the result of its email. */
export function toResult(row: JobAttempts, outcome: SendOutcome, now: number): DeliveryResult {
  const detail = toDetail(outcome.detail);
  switch (outcome.kind) {
    case "accepted":
      return { state: "sent", detail, server: "answers" };
    case "deferred": {
      const { retryAfterMs: requestedMs } = outcome;
      return { ...retryLater(row, RETRY_DELAYS, { detail, now, requestedMs }), server: "answers" };
    }
    case "unknown":
      // It may have arrived: an operator decides (hardening R32). Other deliveries wait until the server
      // answers again.
      return { state: "uncertain", detail, server: { problem: "unreachable", detail } };
    case "refused": {
      const result = { state: "failed", detail, server: "refuses" } as const;
      return refusesMailbox(outcome) ? { ...result, suppress: true } : result;
    }
    case "unreachable":
    case "unauthorized":
      return { ...requeue(row), server: { problem: outcome.kind, detail } };
  }
}

export function skipped(reason: SkipReason): DeliveryResult {
  return { state: "skipped", detail: reason, isUntried: true };
}

/**
 * Returns the result of an email that was claimed when its instance died, whether it was sent or not.
 * @param known what the mailer can prove: handed over, not handed over, or nothing (undefined).
 * @param mayResend whether an email that may have arrived is sent again: once, with the same Message-ID
 * (hardening R32).
 */
export function recoveredResult(
  row: JobAttempts & { readonly resent_after_crash: IntegerBoolean },
  { known, mayResend, now }: { known: boolean | undefined; mayResend: boolean; now: number },
): DeliveryResult {
  if (known) return { state: "sent", detail: "handed over before a crash" };
  const isResend = known === undefined;
  const mayGo = !isResend || (mayResend && row.resent_after_crash === 0);
  const result = { detail: "interrupted by a crash", notBefore: now };
  // A delivery in flight at every crash may be their cause, so its attempts are limited.
  if (!mayGo || row.attempts >= RETRY_DELAYS.length) return { ...result, state: "uncertain" };
  return { ...result, state: "retrying", ...(isResend && { isResend }) };
}
