import { minutes } from "~/lib/durations";
import type { LatestAction } from "~/services/audit/latest-actions.server";
import type { Allowance } from "./daily-allowance.server";
import { refusalsIn } from "./latest-answers";
import { isMissed, isPlanned } from "./plan";
import type { Campaign } from "./campaigns.server";

/** Why nothing of a campaign moves. Times are epoch milliseconds, words the mail server's own. */
export type Waiting =
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
export function hasNotBegun(waiting: Waiting | undefined): boolean {
  return waiting?.for === "hold" || waiting?.for === "schedule";
}

/** When one that has not begun is to begin, or was to; undefined in the hold window and once it has begun. */
export function getPlannedTime(waiting: Waiting | undefined): number | undefined {
  if (waiting?.for === "schedule") return waiting.until;
  return waiting?.for === "missed" || waiting?.for === "operator" ? waiting.planned : undefined;
}

/** Whether it waits for what is more than a minute away. */
export function isFarAway(waiting: Waiting | undefined, now: number): boolean {
  return waiting !== undefined && "until" in waiting && waiting.until - now > minutes(1);
}

type Held = Pick<
  Campaign,
  "state" | "trouble" | "resume_at" | "waits_for" | "when_missed" | "latest_answers"
>;

export function whyItWaits(
  campaign: Held,
  allowance: Allowance | undefined,
  now: number,
): Waiting | undefined {
  if (campaign.state === "paused") return whyItIsPaused(campaign, now);
  if (campaign.state !== "sending" && campaign.state !== "preparing") return undefined;
  const { resume_at: until, trouble: words } = campaign;
  if (isPlanned(campaign)) return { for: campaign.waits_for === "hold" ? "hold" : "schedule", until };
  if (words) return { for: "server", until, words };
  if (allowance?.left === 0) return { for: "allowance", until: allowance.resetsAt, limit: allowance.limit };
  return undefined;
}

function whyItIsPaused(campaign: Held, now: number): Waiting {
  const { waits_for, resume_at: planned, trouble: words, latest_answers } = campaign;
  if (waits_for === "refusals") return { for: "refusals", refused: refusalsIn(latest_answers), words };
  if (waits_for === "missed" || isMissed(campaign, now)) return { for: "missed", planned };
  if (words) return { for: "login", words };
  return isPlanned(campaign) ? { for: "operator", planned } : { for: "operator" };
}
