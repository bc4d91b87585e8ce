import type { PlanEnd } from "~/db/tables/waves";
import { grouped } from "~/lib/format-number";
import { zonedClock, zonedMinute } from "~/lib/format-time";
import { REPEATS, type Repeats } from "~/lib/repeats";

const WORDS: Record<Repeats, string> = {
  day: "every day",
  weekday: "every weekday",
  week: "every week",
};

const ENDS: Record<PlanEnd, string> = {
  empty: "nobody was left to invite.",
  bounced:
    "more than 5 % of the last wave failed or bounced. Look at the reasons before you confirm another wave.",
  refused: "the mail server refused nearly all of the last wave.",
  unsendable: "its text can no longer be sent: it has a field that there is not.",
  edited: "the last wave was edited.",
  cancelled: "the last wave was cancelled.",
  stopped: "somebody stopped it.",
  restored:
    "a backup was restored, and does not know the waves after it. Check whom they reached before you confirm another wave.",
};

const nextPeople = (limit: number) => (limit === 1 ? "the next person" : `the next ${grouped(limit)} people`);

/** Texts of waves that repeat. */
export const wavePlanMessages = {
  label: "Repeat",
  hint: (limit: number) =>
    `Each time ${nextPeople(limit)} without an invitation, at the same time of day, until nobody is left. It stops by itself when more than 5 % of a wave fails or bounces.`,
  once: "Only this once",
  choices: Object.fromEntries(
    REPEATS.map((each) => [each, WORDS[each].charAt(0).toUpperCase() + WORDS[each].slice(1)]),
  ) as Record<Repeats, string>,
  unknown: "Please choose how often.",
  stop: "Stop repeating",
} as const;

/** A plan, as its waves show it. */
interface ShownPlan {
  readonly repeats: Repeats;
  readonly next_at: number | null;
  readonly ended: "" | PlanEnd;
}

/** Says when the next wave comes, or why none does, with times in the reader's zone. */
export function explainPlan({ repeats, next_at, ended }: ShownPlan, limit: number, timeZone: string): string {
  if (next_at === null) return `It was repeated ${WORDS[repeats]}, and stopped: ${ended ? ENDS[ended] : ""}`;
  const time = zonedClock(next_at, timeZone);
  return `Repeats ${WORDS[repeats]} at ${time}: ${nextPeople(limit)} on ${zonedMinute(next_at, timeZone)}.`;
}
