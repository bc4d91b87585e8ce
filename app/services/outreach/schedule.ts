import type { ExpressionBuilder } from "kysely";
import type { Tables } from "~/db/tables";
import type { Campaign } from "~/db/tables/outreach";
import { hours, minutes } from "~/lib/durations";
import type { LatestAction } from "~/services/audit/audit.server";
import type { Allowance } from "~/services/mail/delivery/daily-allowance.server";
import { isMoving } from "~/services/queue/life-cycle";
import { countRefusals } from "./latest-answers";

/** Behaviour of a campaign that missed its start: start as soon as possible, or wait for an operator. */
export type WhenMissed = Exclude<Campaign["when_missed"], "">;

/** A start counts as missed this long after its planned time. */
const MISSED_AFTER_MS = hours(1);

/** The columns that say when a campaign starts. */
export type StartColumns = Pick<Campaign, "hold" | "hold_until" | "when_missed">;

const IMMEDIATE_START: StartColumns = { hold: "", hold_until: null, when_missed: "" };

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

/** Returns the start of a campaign that is confirmed now. A start within the hold window is treated as the hold. */
export function toStart(schedule: Schedule | undefined, holdMs: number, now: number): StartColumns {
  const heldUntil = now + holdMs;
  if (schedule && schedule.beginAt > heldUntil) {
    return { hold: "schedule", hold_until: schedule.beginAt, when_missed: schedule.whenMissed };
  }
  return holdMs > 0 ? { hold: "hold", hold_until: heldUntil, when_missed: "" } : IMMEDIATE_START;
}

/** Checks whether it waits for its start, which is the end of its hold window or the time that an operator chose. */
export function waitsForStart({ hold }: Pick<StartColumns, "hold">): boolean {
  return hold === "hold" || hold === "schedule";
}

/** Checks whether it has not begun: it waits for its start, missed it, or is paused before it. */
export function isBeforeStart({ hold, hold_until }: Pick<StartColumns, "hold" | "hold_until">): boolean {
  return hold_until !== null && hold !== "server";
}

/** Matches confirmed campaigns that `isBeforeStart` does not; also those that were cancelled before their start. */
export const hasBegun = ({ or, eb }: ExpressionBuilder<Tables, "campaigns">) =>
  or([eb("hold_until", "is", null), eb("hold", "=", "server")]);

/** Returns what a draft keeps of a campaign's start: the one that an operator chose, for the next confirmation. */
export function toDraftStart({ hold, hold_until, when_missed }: StartColumns): StartColumns {
  return hold === "schedule" ? { hold: "", hold_until, when_missed } : IMMEDIATE_START;
}

/** Returns the start that a draft keeps; undefined when it was not scheduled. */
export function getKeptSchedule({
  hold_until,
  when_missed,
}: Omit<StartColumns, "hold">): Schedule | undefined {
  if (hold_until === null || when_missed === "") return undefined;
  return { beginAt: hold_until, whenMissed: when_missed };
}

/** Returns the hold with which a campaign paused before its planned start goes on. */
export function toResumedStart({ when_missed }: StartColumns): Pick<StartColumns, "hold"> {
  return { hold: when_missed === "" ? "hold" : "schedule" };
}

/** Checks whether a planned start was missed and the operator chose to wait then. */
export function isMissed({ hold_until, when_missed }: Omit<StartColumns, "hold">, now: number): boolean {
  return when_missed === "wait" && hold_until !== null && now - hold_until > MISSED_AFTER_MS;
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
  /**
   * An operator paused it: before its start at `planned`, which may have passed since; in its hold window, where nobody got
   * it yet; or while it was sent. `paused` is who and when.
   */
  | {
      readonly for: "operator";
      readonly planned?: number;
      readonly isInHoldWindow?: true;
      readonly paused?: LatestAction | undefined;
    }
  /** Today's allowance has no emails left for campaigns, which leave `keptFree` of its `limit` for others. */
  | {
      readonly for: "allowance";
      readonly until: number;
      readonly limit: number;
      readonly keptFree: number;
    }
  /** It paused by itself: `refused` of the last 25 emails were permanently refused. */
  | { readonly for: "refusals"; readonly refused: number; readonly serverMessage: string }
  /** It paused by itself: the mail server rejects our login or sender. */
  | { readonly for: "login"; readonly serverMessage: string }
  /** It was paused when a backup was restored, as the message says; maybe before its start at `planned`. */
  | { readonly for: "restored"; readonly serverMessage: string; readonly planned?: number }
  /** The mail server is unreachable and is retried at `until`. */
  | { readonly for: "server"; readonly until: number; readonly serverMessage: string };

/** Checks whether a campaign is on hold because its start lies ahead. */
export function isStartAhead(waiting: HoldReason | undefined): boolean {
  return waiting?.for === "hold" || waiting?.for === "schedule";
}

/** Returns the start that an operator chose, ahead or missed; undefined without one, and once the campaign has started. */
export function getPlannedTime(waiting: HoldReason | undefined): number | undefined {
  if (waiting?.for === "schedule") return waiting.until;
  return waiting && "planned" in waiting ? waiting.planned : undefined;
}

/** Checks whether the hold ends more than a minute from now. */
export function isFarAway(waiting: HoldReason | undefined, now: number): boolean {
  return waiting !== undefined && "until" in waiting && waiting.until - now > minutes(1);
}

/** The columns that say why a campaign waits. */
export type HoldColumns = Pick<
  Campaign,
  "state" | "hold" | "hold_until" | "hold_detail" | "when_missed" | "latest_answers"
>;

/**
 * Returns why a campaign is on hold; undefined when it is active or over.
 * @param allowance of today, which all campaigns share: the one reason that is not in the row.
 */
export function getHoldReason(
  campaign: HoldColumns,
  allowance: Allowance | undefined,
  now: number,
): HoldReason | undefined {
  const { hold, hold_until, hold_detail: serverMessage } = campaign;
  const until = hold_until ?? 0;
  // In the hold window nobody chose its start.
  const planned = hold_until !== null && campaign.when_missed !== "" ? { planned: hold_until } : {};
  switch (hold) {
    case "":
      return isMoving(campaign) && allowance?.remainingForCampaigns === 0
        ? {
            for: "allowance",
            until: allowance.resetsAt,
            limit: allowance.limit,
            keptFree: allowance.keptFree,
          }
        : undefined;
    case "hold":
    case "schedule":
      return { for: hold, until };
    case "server":
      return { for: hold, until, serverMessage };
    case "missed":
      return { for: hold, planned: until };
    case "refusals":
      return { for: hold, refused: countRefusals(campaign.latest_answers), serverMessage };
    case "login":
      return { for: hold, serverMessage };
    case "operator":
      // A pause may last beyond the planned start.
      if (isMissed(campaign, now)) return { for: "missed", planned: until };
      return isBeforeStart(campaign) && campaign.when_missed === ""
        ? { for: hold, isInHoldWindow: true }
        : { for: hold, ...planned };
    case "restored":
      return isMissed(campaign, now)
        ? { for: "missed", planned: until }
        : { for: hold, serverMessage, ...planned };
  }
}
