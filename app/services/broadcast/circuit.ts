import { z } from "zod";
import { days } from "~/lib/durations";
import type { Finished } from "~/services/queue/job-type";
import type { DeliveryResult, PushJob } from "./delivery-result";
import type { Broadcast } from "./broadcast-state.server";

/** So many of the first answers are judged (hardening R10). */
const SAMPLE_SIZE = 100;
/** More refusals among them than this say more of us than of the devices. */
const MAX_REFUSALS = 20;
/** So many devices of one push service in a row, refused for a fault of ours, are enough to believe it. */
const SERVICE_REFUSAL_THRESHOLD = 5;
const LONG_KNOWN_AFTER_MS = days(1);

export type FinishedPush = Finished<PushJob, DeliveryResult>;

/** What a broadcast remembers of its answers; columns of `broadcasts`. */
export type CircuitState = Pick<Broadcast, "answers" | "refusals" | "service_refusals">;

/** Why a broadcast stops by itself, in the push service's words. */
export interface Stop {
  readonly by: Exclude<Broadcast["stopped_by"], "">;
  readonly detail: string;
}

export const INITIAL_CIRCUIT: CircuitState = { answers: 0, refusals: 0, service_refusals: "{}" };
/** Somebody looked at it and said that the refusals are right. */
export const REFUSALS_ACCEPTED = { answers: SAMPLE_SIZE, refusals: 0 };

/** A device whose first message was accepted before this moment is long known. */
export const getLongKnownLimit = (now: number): number => now - LONG_KNOWN_AFTER_MS;

/**
 * Adds endings in their order to what is known, and says whether the broadcast has to stop. Anybody can register devices
 * that will be refused, so only long-known ones count, and one of them is never enough (hardening C39). Two things stop it:
 *
 * - the circuit: more than a fifth of the first hundred was refused for good or is gone. Then a fault of ours is likelier
 *   than that many dead devices, and nothing is removed.
 * - devices of one push service in a row, refused for our keys or for our message, with nothing accepted there in between.
 *   A service stops a broadcast once: whoever lets it go on has read what it says.
 */
export function assessBroadcast(
  before: CircuitState,
  finished: readonly FinishedPush[],
  now: number,
): { circuit: CircuitState; stop: Stop | undefined } {
  let { answers, refusals } = before;
  let stop: Stop | undefined;
  const consecutive = readServiceRefusals(before);
  for (const { row, result } of finished) {
    const { answer, detail } = result;
    if (answer === "took") consecutive.delete(row.service);
    if (answer === undefined || !isLongKnown(row, now)) continue;
    if (answer === "took" || answer === "refused") {
      if (answers < SAMPLE_SIZE) {
        answers += 1;
        if (answer === "refused") refusals += 1;
      }
      if (answer === "refused" && isOpen({ refusals })) stop = { by: "refusals", detail };
    } else {
      const count = (consecutive.get(row.service) ?? 0) + 1;
      consecutive.set(row.service, count);
      if (count === SERVICE_REFUSAL_THRESHOLD) stop = { by: answer, detail };
    }
  }
  const service_refusals = JSON.stringify(Object.fromEntries(consecutive));
  return { circuit: { answers, refusals, service_refusals }, stop };
}

/** What is remembered when refused devices are asked again: which services have stopped it. The rest is judged again. */
export function resetCircuit(before: CircuitState): CircuitState {
  const stopped = [...readServiceRefusals(before)].filter(([, count]) => count >= SERVICE_REFUSAL_THRESHOLD);
  return { ...INITIAL_CIRCUIT, service_refusals: JSON.stringify(Object.fromEntries(stopped)) };
}

/** Whether so many were refused that a fault of ours is likelier. */
export function isOpen({ refusals }: Pick<CircuitState, "refusals">): boolean {
  return refusals > MAX_REFUSALS;
}

/** Whether devices that are gone may be removed while the broadcast goes on. */
export function isPassed(circuit: Pick<CircuitState, "answers" | "refusals">): boolean {
  return circuit.answers >= SAMPLE_SIZE && !isOpen(circuit);
}

const isLongKnown = ({ first_accepted_at }: PushJob, now: number): boolean =>
  first_accepted_at !== null && first_accepted_at < getLongKnownLimit(now);

/** By push service. */
function readServiceRefusals({ service_refusals }: CircuitState): Map<string, number> {
  return new Map(Object.entries(z.record(z.string(), z.number()).parse(JSON.parse(service_refusals))));
}
