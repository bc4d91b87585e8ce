import { z } from "zod";
import { days } from "~/lib/durations";
import type { Finished } from "~/services/queue/job-type";
import type { DeliveryResult, PushJob } from "./delivery-result";
import type { Broadcast } from "./broadcast-state.server";

/** So many of the first answers are judged (hardening R10). */
const JUDGED = 100;
/** More refusals among them than this say more of us than of the devices. */
const MOST_REFUSALS = 20;
/** So many devices of one push service in a row, refused for a fault of ours, are enough to believe it. */
const ENOUGH_REFUSALS_OF_SERVICE = 5;
const LONG_KNOWN_AFTER = days(1);

export type FinishedPush = Finished<PushJob, DeliveryResult>;

/** What a broadcast remembers of its answers; columns of `broadcasts`. */
export type Judgement = Pick<Broadcast, "answers" | "refusals" | "service_refusals">;

/** Why a broadcast stops by itself, in the push service's words. */
export interface Stop {
  readonly by: Exclude<Broadcast["stopped_by"], "">;
  readonly words: string;
}

export const UNJUDGED: Judgement = { answers: 0, refusals: 0, service_refusals: "{}" };
/** Somebody looked at it and said that the refusals are right. */
export const OVERRULED = { answers: JUDGED, refusals: 0 };

/** A device whose first message was accepted before this moment is long known. */
export const getLongKnownLimit = (now: number): number => now - LONG_KNOWN_AFTER;

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
  before: Judgement,
  finished: readonly FinishedPush[],
  now: number,
): { judgement: Judgement; stop: Stop | undefined } {
  let { answers, refusals } = before;
  let stop: Stop | undefined;
  const inARow = readServiceRefusals(before);
  for (const { row, result } of finished) {
    const { answer, detail } = result;
    if (answer === "took") inARow.delete(row.service);
    if (answer === undefined || !isLongKnown(row, now)) continue;
    if (answer === "took" || answer === "refused") {
      if (answers < JUDGED) {
        answers += 1;
        if (answer === "refused") refusals += 1;
      }
      if (answer === "refused" && isOpen({ refusals })) stop = { by: "refusals", words: detail };
    } else {
      const count = (inARow.get(row.service) ?? 0) + 1;
      inARow.set(row.service, count);
      if (count === ENOUGH_REFUSALS_OF_SERVICE) stop = { by: answer, words: detail };
    }
  }
  const service_refusals = JSON.stringify(Object.fromEntries(inARow));
  return { judgement: { answers, refusals, service_refusals }, stop };
}

/** What is remembered when refused devices are asked again: which services have stopped it. The rest is judged again. */
export function resetJudgement(before: Judgement): Judgement {
  const told = [...readServiceRefusals(before)].filter(([, count]) => count >= ENOUGH_REFUSALS_OF_SERVICE);
  return { ...UNJUDGED, service_refusals: JSON.stringify(Object.fromEntries(told)) };
}

/** Whether so many were refused that a fault of ours is likelier. */
export function isOpen({ refusals }: Pick<Judgement, "refusals">): boolean {
  return refusals > MOST_REFUSALS;
}

/** Whether devices that are gone may be removed while the broadcast goes on. */
export function isPassed(judgement: Pick<Judgement, "answers" | "refusals">): boolean {
  return judgement.answers >= JUDGED && !isOpen(judgement);
}

const isLongKnown = ({ first_accepted_at }: PushJob, now: number): boolean =>
  first_accepted_at !== null && first_accepted_at < getLongKnownLimit(now);

/** By push service. */
function readServiceRefusals({ service_refusals }: Judgement): Map<string, number> {
  return new Map(Object.entries(z.record(z.string(), z.number()).parse(JSON.parse(service_refusals))));
}
