import type { Selectable } from "kysely";
import type { DevicesTable, PushesTable, PushState } from "~/db/tables/broadcast";
import { days, minutes, seconds } from "~/lib/durations";
import { requeue, toDetail, type JobAttempts, type JobResult } from "~/services/queue/job-type";
import type { DeviceAddress, PushOutcome } from "~/services/push/push-sender";

export type ClaimedPush = Selectable<PushesTable>;

/** A claimed push delivery with its device. */
export interface PushJob extends ClaimedPush {
  /** Undefined when it was removed. */
  readonly device: KnownDevice | undefined;
}

/** The address of a device, and when it first accepted a message. */
export type KnownDevice = DeviceAddress & Pick<DevicesTable, "first_accepted_at">;

/** Delay after a first attempt that failed or got no response; doubled by each further one (R10). */
const INITIAL_WAIT_MS = seconds(10);
/** The same after a 429 without Retry-After. */
const INITIAL_WAIT_WHEN_LIMITED_MS = minutes(1);
/** Largest share of a delay added at random, so that deliveries that failed together are not retried together. */
const JITTER_RATIO = 0.5;
/** Longest delay, whatever Retry-After says: a later notification has lost its use. */
const MAX_WAIT_MS = days(1);
/** The last attempt is after 85 minutes or more; 8.5 hours when rate-limited without Retry-After. */
const MAX_ATTEMPTS = 10;

/** The result that ends a claim of a push delivery. */
export interface DeliveryResult extends JobResult {
  readonly state: Exclude<PushState, "claimed">;
  /**
   * The push service's final answer, which the circuit counts (circuit.ts); unset without one. "refused": this device is
   * refused or gone. "unauthorized": it rejects our keys for this device. "message": it would refuse the message for every
   * device.
   */
  readonly answer?: "accepted" | "refused" | "unauthorized" | "message";
  /** The push service's reply when it refused our credentials, so that nothing can be sent to any device. */
  readonly stop?: string;
}

/**
 * Converts the outcome of an attempt into the result of its delivery (hardening R10). A message that may have
 * arrived is sent again: its tag is the broadcast's id, so that the second one replaces the first.
 * @param random from 0 to 1
 */
export function toResult(
  row: JobAttempts,
  outcome: PushOutcome,
  { now, random }: { now: number; random: () => number },
): DeliveryResult {
  const detail = formatDetail(outcome);
  switch (outcome.kind) {
    case "accepted":
      return { state: "accepted", detail, answer: "accepted" };
    case "gone":
      return { state: "gone", detail, answer: "refused" };
    case "refused":
      return { state: "failed", detail, answer: outcome.isOurFault ? "message" : "refused" };
    case "unusable":
      return { state: "failed", detail };
    case "unauthorized":
      return { state: "failed", detail, answer: "unauthorized" };
    case "credentials-refused":
      return { ...requeue(row), stop: detail };
    case "deferred": {
      const requestedMs = outcome.retryAfterMs;
      // The longer of the service's delay and our own, without jitter.
      if (requestedMs !== undefined)
        return retryAfter(row, detail, now, Math.max(INITIAL_WAIT_MS * 2 ** row.attempts, requestedMs));
      return retryAfter(row, detail, now, getBackoffMs(row, outcome.status === 429, random));
    }
    case "unreachable":
    case "unknown":
      return retryAfter(row, detail, now, getBackoffMs(row, false, random));
  }
}

/** The result of a delivery whose device was removed before the attempt. */
export const MISSING_DEVICE: DeliveryResult = {
  state: "gone",
  detail: "removed before it was sent",
  isUntried: true,
};

/**
 * Returns the result of a delivery interrupted by a crash. It is retried without a delay, but as every retry after all first
 * attempts (`order` of its job type), because it may have caused the crash.
 */
export function recoveredResult(row: JobAttempts, now: number): DeliveryResult {
  return retryAfter(row, "interrupted by a crash", now, 0);
}

function retryAfter(row: JobAttempts, detail: string, now: number, wait: number): DeliveryResult {
  const attempts = row.attempts + 1;
  if (attempts >= MAX_ATTEMPTS) return { state: "failed", detail };
  return { state: "retrying", detail, notBefore: now + Math.min(wait, MAX_WAIT_MS) };
}

function getBackoffMs({ attempts }: JobAttempts, limited: boolean, random: () => number): number {
  const wait = (limited ? INITIAL_WAIT_WHEN_LIMITED_MS : INITIAL_WAIT_MS) * 2 ** attempts;
  return wait + Math.floor(random() * JITTER_RATIO * wait);
}

/** Formats the push service's reply with its status: "410 push subscription has expired". */
export function formatDetail(outcome: PushOutcome): string {
  const text = "status" in outcome ? `${outcome.status} ${outcome.detail}` : outcome.detail;
  return toDetail(text);
}
