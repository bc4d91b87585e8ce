import type { CampaignsTable } from "~/db/tables/outreach";
import { hours, minutes } from "~/lib/durations";
import type { LatestAction } from "~/services/audit/latest-actions.server";
import type { Allowance } from "./daily-allowance.server";
import { countRefusals } from "./latest-answers";

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

export function getScheduleProblem({ beginAt }: Schedule, now: number): ScheduleProblem | undefined {
  if (!(beginAt > now)) return "time-passed";
  return beginAt > aYearAfter(now) ? "too-far" : undefined;
}

/** The plan of a campaign that is confirmed now. A time within the hold window is one of the hold's. */
export function toPlan(schedule: Schedule | undefined, holdMs: number, now: number): Plan {
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

/** Why nothing of a campaign moves. Times are epoch milliseconds, words the mail server's own. */
export type HoldReason =
  /** It begins at `until`; nobody gets a mail before. */
  | { readonly for: "hold" | "schedule"; readonly until: number }
  /** It was to begin at `planned`, and waits for an operator since. */
  | { readonly for: "missed"; readonly planned: number }
  /** An operator paused it, before or after the time it is `planned` for. `paused` says who and when. */
  | { readonly for: "operator"; readonly planned?: number; readonly paused?: LatestAction | undefined }
  | { readonly for: "allowance"; readonly until: number; readonly limit: number }
  /** It paused by itself: so many of the last 25 were refused for good. */
  | { readonly for: "refusals"; readonly refused: number; readonly words: string }
  /** It paused by itself: our login or sender is not accepted. */
  | { readonly for: "login"; readonly words: string }
  /** The mail server cannot be reached and is tried again at `until`. */
  | { readonly for: "server"; readonly until: number; readonly words: string };

/** Whether it waits for the time it is to begin. */
export function hasNotBegun(waiting: HoldReason | undefined): boolean {
  return waiting?.for === "hold" || waiting?.for === "schedule";
}

/** When one that has not begun is to begin, or was to; undefined in the hold window and once it has begun. */
export function getPlannedTime(waiting: HoldReason | undefined): number | undefined {
  if (waiting?.for === "schedule") return waiting.until;
  return waiting?.for === "missed" || waiting?.for === "operator" ? waiting.planned : undefined;
}

/** Whether it waits for what is more than a minute away. */
export function isFarAway(waiting: HoldReason | undefined, now: number): boolean {
  return waiting !== undefined && "until" in waiting && waiting.until - now > minutes(1);
}

/** What the hold reason of a campaign depends on. */
export type HeldCampaign = Pick<
  CampaignsTable,
  "state" | "trouble" | "resume_at" | "waits_for" | "when_missed" | "latest_answers"
>;

export function getHoldReason(
  campaign: HeldCampaign,
  allowance: Allowance | undefined,
  now: number,
): HoldReason | undefined {
  if (campaign.state === "paused") return getPauseReason(campaign, now);
  if (campaign.state !== "sending" && campaign.state !== "preparing") return undefined;
  const { resume_at: until, trouble: words } = campaign;
  if (isPlanned(campaign)) return { for: campaign.waits_for === "hold" ? "hold" : "schedule", until };
  if (words) return { for: "server", until, words };
  if (allowance?.left === 0) return { for: "allowance", until: allowance.resetsAt, limit: allowance.limit };
  return undefined;
}

function getPauseReason(campaign: HeldCampaign, now: number): HoldReason {
  const { waits_for, resume_at: planned, trouble: words, latest_answers } = campaign;
  if (waits_for === "refusals") return { for: "refusals", refused: countRefusals(latest_answers), words };
  if (waits_for === "missed" || isMissed(campaign, now)) return { for: "missed", planned };
  if (words) return { for: "login", words };
  return isPlanned(campaign) ? { for: "operator", planned } : { for: "operator" };
}
