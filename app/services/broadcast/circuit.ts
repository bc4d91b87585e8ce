import type { Ending } from "./ending";

/** So many of the first answers to a broadcast are judged (hardening R10). */
const JUDGED = 100;
/** More refusals among them than this say more of us than of the devices. */
const MOST_REFUSALS = 20;

/** What a broadcast remembers of its first answers. */
export interface Judgement {
  readonly answers: number;
  readonly refusals: number;
}

export const UNJUDGED: Judgement = { answers: 0, refusals: 0 };
/** Somebody looked at it and said that the refusals are right. */
export const OVERRULED: Judgement = { answers: JUDGED, refusals: 0 };

/** Adds answers in their order, up to the hundredth. What did not end for good is none. */
export function judge(before: Judgement, endings: readonly Ending[]): Judgement {
  const answers = endings.flatMap(({ answer }) => answer ?? []).slice(0, JUDGED - before.answers);
  return {
    answers: before.answers + answers.length,
    refusals: before.refusals + answers.filter((answer) => answer === "refused").length,
  };
}

/**
 * Whether more than a fifth of the first hundred was refused for good or gone. Then a fault of ours is likelier than that
 * many dead devices: the broadcast stops, and nothing is removed.
 */
export function isOpen({ refusals }: Judgement): boolean {
  return refusals > MOST_REFUSALS;
}

/** Whether devices that are gone may be removed while the broadcast goes on. */
export function isPassed(judgement: Judgement): boolean {
  return judgement.answers >= JUDGED && !isOpen(judgement);
}
