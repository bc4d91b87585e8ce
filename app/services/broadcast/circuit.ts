import { z } from "zod";
import { days } from "~/lib/durations";
import type { Finished } from "~/services/queue/job-type";
import type { DeliveryResult, PushJob } from "./delivery-result";
import type { Broadcast } from "./broadcast-state.server";

/** Number of first answers the circuit assesses (hardening R10). */
const SAMPLE_SIZE = 100;
/** More refusals in the sample than this point to a fault of ours, not of the devices. */
const MAX_REFUSALS = 20;
/** Consecutive refusals by one push service for a fault of ours that stop the broadcast. */
const SERVICE_REFUSAL_THRESHOLD = 5;
const LONG_KNOWN_AFTER_MS = days(1);

export type FinishedPush = Finished<PushJob, DeliveryResult>;

/** Answers counted for a broadcast; columns of `broadcasts`. */
type CircuitState = Pick<Broadcast, "answers" | "refusals" | "service_refusals">;

export type StopReason = Exclude<Broadcast["hold"], "" | "operator" | "restored">;

/** Returns why a broadcast stopped by itself; undefined when it did not. */
export function getStopReason({ hold }: Pick<Broadcast, "hold">): StopReason | undefined {
  return hold === "" || hold === "operator" || hold === "restored" ? undefined : hold;
}

/** Why a broadcast stops by itself; `detail` is the push service's reply. */
export interface Stop {
  readonly by: StopReason;
  readonly detail: string;
}

/** State after an operator accepted the refusals as correct. */
export const REFUSALS_ACCEPTED = { answers: SAMPLE_SIZE, refusals: 0 };

/** Returns the time before which a device's first message must have been accepted for it to be long known. */
export const getLongKnownLimit = (now: number): number => now - LONG_KNOWN_AFTER_MS;

/**
 * Adds results in their order to the circuit, and returns whether the broadcast must stop. Anybody can register
 * devices that will be refused, so only long-known ones count, and a single one never suffices (hardening C39).
 * Two conditions stop it:
 *
 * - more than a fifth of the first hundred devices was permanently refused or is gone. A fault of ours is
 *   likelier than that many dead devices, and no device is removed.
 * - consecutive devices of one push service were refused for our keys or our message, with none accepted in
 *   between. A service stops a broadcast once: the operator who resumes it has read its reply.
 */
export function assessBroadcast(before: CircuitState, finished: readonly FinishedPush[], now: number) {
  let { answers, refusals } = before;
  let stop: Stop | undefined;
  const consecutive = readServiceRefusals(before);
  for (const { row, result } of finished) {
    const { answer, detail } = result;
    // Once a service has stopped the broadcast its count is kept, even when it accepts again: it must not stop it a second time.
    const hasStopped = (consecutive.get(row.service) ?? 0) >= SERVICE_REFUSAL_THRESHOLD;
    if (answer === "accepted" && !hasStopped) consecutive.delete(row.service);
    if (answer === undefined || !isLongKnown(row, now)) continue;
    if (answer === "accepted" || answer === "refused") {
      if (answers < SAMPLE_SIZE) {
        answers += 1;
        if (answer === "refused") refusals += 1;
      }
      if (answer === "refused" && isCircuitOpen({ refusals })) stop = { by: "refusals", detail };
    } else {
      const count = (consecutive.get(row.service) ?? 0) + 1;
      consecutive.set(row.service, count);
      if (count === SERVICE_REFUSAL_THRESHOLD) stop = { by: answer, detail };
    }
  }
  const service_refusals = JSON.stringify(Object.fromEntries(consecutive));
  return { circuit: { answers, refusals, service_refusals }, stop };
}

/** Resets the circuit for a retry, except which services have already stopped the broadcast. */
export function resetCircuit(before: CircuitState): CircuitState {
  const stopped = [...readServiceRefusals(before)].filter(([, count]) => count >= SERVICE_REFUSAL_THRESHOLD);
  return { answers: 0, refusals: 0, service_refusals: JSON.stringify(Object.fromEntries(stopped)) };
}

/** Returns whether the refusals exceed the limit, so that a fault of ours is likely. */
export function isCircuitOpen({ refusals }: Pick<CircuitState, "refusals">): boolean {
  return refusals > MAX_REFUSALS;
}

/** Returns whether devices that are gone may be removed while the broadcast goes on. */
export function isCircuitPassed(circuit: Pick<CircuitState, "answers" | "refusals">): boolean {
  return circuit.answers >= SAMPLE_SIZE && !isCircuitOpen(circuit);
}

const isLongKnown = ({ device }: PushJob, now: number): boolean =>
  (device?.first_accepted_at ?? now) < getLongKnownLimit(now);

/** Reads the consecutive refusals by push service. */
function readServiceRefusals({ service_refusals }: CircuitState): Map<string, number> {
  return new Map(Object.entries(z.record(z.string(), z.number()).parse(JSON.parse(service_refusals))));
}
