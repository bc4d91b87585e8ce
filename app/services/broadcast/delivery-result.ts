import type { Selectable } from "kysely";
import type { PushesTable } from "~/db/tables/broadcast";
import type { PushState } from "~/db/tables/broadcast";
import { days, minutes, seconds } from "~/lib/durations";
import { requeue, toPlainText } from "~/services/queue/job-type";
import type { JobAttempts, JobResult } from "~/services/queue/job-type";
import type { DeviceAddress, PushOutcome } from "~/services/push/push-sender";

/** What a claim returns of a push message. */
export const CLAIMED_COLUMNS = [
  "id",
  "broadcast_id",
  "device_id",
  "service",
  "detail",
  "attempts",
  "not_before",
] as const;
export type ClaimedPush = Pick<Selectable<PushesTable>, (typeof CLAIMED_COLUMNS)[number]>;

/** A claimed push message with what is known of its device. */
export interface PushJob extends ClaimedPush {
  /** Null also when the device was removed before it was sent. */
  readonly first_accepted_at: number | null;
  readonly device: DeviceAddress | undefined;
}

/** A trouble of the push service or of the way to it: the wait after the first try, doubled by each further one (R10). */
const INITIAL_WAIT_MS = seconds(10);
/** The same when it says that we send too much, and not for how long. */
const INITIAL_WAIT_WHEN_LIMITED_MS = minutes(1);
/** So that not all that failed together come back together: up to so much of a wait is added to it. */
const JITTER_RATIO = 0.5;
/** Longer than this no message is put off, whatever Retry-After says: it is news. */
const MAX_WAIT_MS = days(1);
/** The last one of them fails: after 85 minutes or more, 8.5 hours when limited. */
const MAX_ATTEMPTS = 10;

/** How a push message leaves `claimed`. */
export interface DeliveryResult extends JobResult {
  readonly state: Exclude<PushState, "claimed">;
  /**
   * What the push service made of the message, for the circuit; left out when it did not say for good. "unauthorized": it
   * does not accept our keys for this device. "message": it would refuse the same for every device.
   */
  readonly answer?: "took" | "refused" | "unauthorized" | "message";
  /** Why nothing can go to anybody, in the service's words: our own credentials were refused. */
  readonly stop?: string;
}

/**
 * What a try's outcome makes of its row (hardening R10). A message of which nobody knows whether it arrived is sent again:
 * its tag is the broadcast's id, so that a second one takes the place of the first.
 * @param random from 0 to 1
 */
export function toResult(
  row: JobAttempts,
  outcome: PushOutcome,
  { now, random }: { now: number; random: () => number },
): DeliveryResult {
  const detail = formatDetail(outcome);
  const settled = { detail, attempts: row.attempts + 1, notBefore: row.not_before };
  switch (outcome.kind) {
    case "accepted":
      return { ...settled, state: "accepted", answer: "took" };
    case "gone":
      return { ...settled, state: "gone", answer: "refused" };
    case "refused":
      return { ...settled, state: "failed", answer: outcome.isOurFault ? "message" : "refused" };
    case "unusable":
      return { ...settled, state: "failed" };
    case "unauthorized":
      return { ...settled, state: "failed", answer: "unauthorized" };
    case "credentials-refused":
      return { ...requeue(row), stop: detail };
    case "deferred": {
      const requestedMs = outcome.retryAfterMs;
      if (requestedMs !== undefined)
        return retryLater(row, detail, now, Math.max(INITIAL_WAIT_MS, requestedMs));
      return retryLater(row, detail, now, getBackoffMs(row, outcome.status === 429, random));
    }
    case "unreachable":
    case "unknown":
      return retryLater(row, detail, now, getBackoffMs(row, false, random));
  }
}

/** The device was removed before it was sent came. */
export function missingDeviceResult(row: JobAttempts): DeliveryResult {
  return {
    state: "gone",
    detail: "removed before it was sent",
    attempts: row.attempts,
    notBefore: row.not_before,
  };
}

/** Of a row that was claimed when its instance died: it goes again, and last, for it may be the crash's cause. */
export function recoveredResult(row: JobAttempts, now: number): DeliveryResult {
  return retryLater(row, "interrupted by a crash", now, 0);
}

function retryLater(row: JobAttempts, detail: string, now: number, wait: number): DeliveryResult {
  const attempts = row.attempts + 1;
  if (attempts >= MAX_ATTEMPTS) return { state: "failed", detail, attempts, notBefore: row.not_before };
  return { state: "retrying", detail, attempts, notBefore: now + Math.min(wait, MAX_WAIT_MS) };
}

function getBackoffMs({ attempts }: JobAttempts, limited: boolean, random: () => number): number {
  const wait = (limited ? INITIAL_WAIT_WHEN_LIMITED_MS : INITIAL_WAIT_MS) * 2 ** attempts;
  return wait + Math.floor(random() * JITTER_RATIO * wait);
}

/** "410 push subscription has expired": what the service said, after its status. */
function formatDetail(outcome: PushOutcome): string {
  const text = "status" in outcome ? `${outcome.status} ${outcome.detail}` : outcome.detail;
  return toPlainText(text);
}
