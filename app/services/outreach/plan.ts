import type { CampaignsTable } from "~/db/tables/outreach";
import { hours } from "~/lib/durations";

/** What becomes of a campaign whose time was missed: it begins as soon as it can, or waits for an operator. */
export type WhenMissed = Exclude<CampaignsTable["when_missed"], "">;

/** Begun so much later than planned, a time counts as missed. */
const MISSED_AFTER_MS = hours(1);

/** When a campaign is to begin, as its columns say. */
export type Plan = Pick<CampaignsTable, "resume_at" | "waits_for" | "when_missed">;

export const AT_ONCE: Plan = { resume_at: 0, waits_for: "", when_missed: "" };

/** What an operator asked for. Epoch milliseconds. */
export interface Schedule {
  readonly beginAt: number;
  readonly whenMissed: WhenMissed;
}

/** "time-passed": not in the future. "too-far": more than a year ahead. */
export type ScheduleProblem = "time-passed" | "too-far";

export function problemWith({ beginAt }: Schedule, now: number): ScheduleProblem | undefined {
  if (!(beginAt > now)) return "time-passed";
  return beginAt > aYearAfter(now) ? "too-far" : undefined;
}

/** The plan of a campaign that is confirmed now. A time within the hold window is one of the hold's. */
export function planFor(schedule: Schedule | undefined, holdMs: number, now: number): Plan {
  const heldUntil = now + holdMs;
  if (schedule && schedule.beginAt > heldUntil) {
    return { resume_at: schedule.beginAt, waits_for: "schedule", when_missed: schedule.whenMissed };
  }
  return holdMs > 0 ? { ...AT_ONCE, resume_at: heldUntil, waits_for: "hold" } : AT_ONCE;
}

/** Whether it has not begun yet, and has a time to. */
export function isPlanned({ waits_for }: Pick<Plan, "waits_for">): boolean {
  return waits_for === "hold" || waits_for === "schedule";
}

/** Whether its time is so long over that it waits for an operator now. */
export function isMissed(plan: Plan, now: number): boolean {
  return isPlanned(plan) && plan.when_missed === "wait" && now - plan.resume_at > MISSED_AFTER_MS;
}

/** The same day and time of the next year; of 29 February, 1 March. */
function aYearAfter(now: number): number {
  const date = new Date(now);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}
