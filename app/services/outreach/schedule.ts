import type { Campaign } from "~/db/tables/outreach";
import { hours, minutes } from "~/lib/durations";
import type { LatestAction } from "~/services/audit/audit.server";
import type { Allowance } from "./daily-allowance.server";
import { countRefusals } from "./latest-answers";

/** Behaviour of a campaign that missed its start: start as soon as possible, or wait for an operator. */
export type WhenMissed = Exclude<Campaign["when_missed"], "">;

/** A start counts as missed this long after its planned time. */
const MISSED_AFTER_MS = hours(1);

/** The columns that hold when a campaign starts. */
export type Plan = Pick<Campaign, "resume_at" | "waits_for" | "when_missed">;

const IMMEDIATE_PLAN: Plan = { resume_at: 0, waits_for: "", when_missed: "" };

/** The start an operator requests. */
export interface Schedule {
  /** Epoch milliseconds. */
  readonly beginAt: number;
  readonly whenMissed: WhenMissed;
}

/** "time-passed": not in the future. "too-far": more than a year ahead. */
export type ScheduleProblem = "time-passed" | "too-far";

export function getScheduleProblem({ beginAt }: Schedule, now: number): ScheduleProblem | undefined {
  if (!(beginAt > now)) return "time-passed";
  return beginAt > addYear(now) ? "too-far" : undefined;
}

/** Returns the plan of a campaign that is confirmed now. A start within the hold window is treated as the hold. */
export function toPlan(schedule: Schedule | undefined, holdMs: number, now: number): Plan {
  const heldUntil = now + holdMs;
  if (schedule && schedule.beginAt > heldUntil) {
    return { resume_at: schedule.beginAt, waits_for: "schedule", when_missed: schedule.whenMissed };
  }
  return holdMs > 0 ? { ...IMMEDIATE_PLAN, resume_at: heldUntil, waits_for: "hold" } : IMMEDIATE_PLAN;
}

/** Checks whether it waits for a planned start. */
export function isPlanned({ waits_for }: Pick<Plan, "waits_for">): boolean {
  return waits_for === "hold" || waits_for === "schedule";
}

/** Checks whether it missed its planned start and now waits for an operator. */
export function isMissed(plan: Plan, now: number): boolean {
  return isPlanned(plan) && plan.when_missed === "wait" && now - plan.resume_at > MISSED_AFTER_MS;
}

/** Returns the same day and time of the next year; 1 March for 29 February. */
function addYear(now: number): number {
  const date = new Date(now);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

/** Why a campaign is on hold. Times are epoch milliseconds. */
export type HoldReason =
  /** It starts at `until`; no email is sent before. */
  | { readonly for: "hold" | "schedule"; readonly until: number }
  /** It missed its start at `planned`, and waits for an operator. */
  | { readonly for: "missed"; readonly planned: number }
  /** An operator paused it, before or after its `planned` start. `paused` is who and when. */
  | { readonly for: "operator"; readonly planned?: number; readonly paused?: LatestAction | undefined }
  | { readonly for: "allowance"; readonly until: number; readonly limit: number }
  /** It paused by itself: `refused` of the last 25 emails were permanently refused. */
  | { readonly for: "refusals"; readonly refused: number; readonly serverMessage: string }
  /** It paused by itself: the mail server rejects our login or sender. */
  | { readonly for: "login"; readonly serverMessage: string }
  /** The mail server is unreachable and is retried at `until`. */
  | { readonly for: "server"; readonly until: number; readonly serverMessage: string };

/** Checks whether the hold is a start that lies ahead. */
export function hasNotBegun(waiting: HoldReason | undefined): boolean {
  return waiting?.for === "hold" || waiting?.for === "schedule";
}

/** Returns the planned start, ahead or missed; undefined in the hold window and once it has started. */
export function getPlannedTime(waiting: HoldReason | undefined): number | undefined {
  if (waiting?.for === "schedule") return waiting.until;
  return waiting?.for === "missed" || waiting?.for === "operator" ? waiting.planned : undefined;
}

/** Checks whether the hold ends more than a minute from now. */
export function isFarAway(waiting: HoldReason | undefined, now: number): boolean {
  return waiting !== undefined && "until" in waiting && waiting.until - now > minutes(1);
}

/** The columns that determine the hold reason. */
export type HeldCampaign = Pick<
  Campaign,
  "state" | "problem" | "resume_at" | "waits_for" | "when_missed" | "latest_answers"
>;

export function getHoldReason(
  campaign: HeldCampaign,
  allowance: Allowance | undefined,
  now: number,
): HoldReason | undefined {
  if (campaign.state === "paused") return getPauseReason(campaign, now);
  if (campaign.state !== "sending" && campaign.state !== "preparing") return undefined;
  const { resume_at: until, problem: serverMessage } = campaign;
  if (isPlanned(campaign)) return { for: campaign.waits_for === "hold" ? "hold" : "schedule", until };
  if (serverMessage) return { for: "server", until, serverMessage };
  if (allowance?.remaining === 0)
    return { for: "allowance", until: allowance.resetsAt, limit: allowance.limit };
  return undefined;
}

function getPauseReason(campaign: HeldCampaign, now: number): HoldReason {
  const { waits_for, resume_at: planned, problem: serverMessage, latest_answers } = campaign;
  if (waits_for === "refusals")
    return { for: "refusals", refused: countRefusals(latest_answers), serverMessage };
  if (waits_for === "missed" || isMissed(campaign, now)) return { for: "missed", planned };
  if (serverMessage) return { for: "login", serverMessage };
  return isPlanned(campaign) ? { for: "operator", planned } : { for: "operator" };
}
