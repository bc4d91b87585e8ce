import { operatorMessages } from "~/content/operator-messages";

const { notifications: copy, platform } = operatorMessages;

export interface BroadcastStats {
  devices: number;
  sent: number;
  failed: number;
  gone: number;
  waiting: number;
  retrying: number;
  /** The part of the application's backend, where it takes part in the broadcast. */
  platform?: {
    state: keyof typeof platform.broadcast.states;
    successCount: number;
    failureCount: number;
    detail: string;
  };
}

interface BroadcastOutcome {
  state: keyof typeof operatorMessages.campaignStatus.states;
  /** The push service's error message when the broadcast was paused automatically. */
  trouble: string;
  stats: BroadcastStats;
}

/** Returns the result of a finished or paused broadcast and its colour (specification, section 8). */
export function getBroadcastResult({ state, trouble, stats }: BroadcastOutcome): {
  kind: "success" | "error" | "info";
  text: string;
} {
  const { sent, failed, gone, platform: part } = stats;
  const reached = sent + (part?.successCount ?? 0);
  const missed = failed + gone + (part?.failureCount ?? 0);
  if (state === "cancelled") return { kind: "info", text: copy.page.cancelled(reached) };
  if (state !== "finished") {
    return trouble
      ? { kind: "error", text: copy.failure(trouble) }
      : { kind: "info", text: copy.page.paused };
  }
  const ending = part?.state;
  if (!part || (ending !== "failed" && ending !== "uncertain")) {
    if (reached > 0) return { kind: "success", text: copy.success(reached, missed) };
    return { kind: missed > 0 ? "error" : "info", text: copy.nobodyReached(missed) };
  }
  const isOnlyPart = reached + missed === 0;
  if (isOnlyPart && ending === "failed") return { kind: "error", text: copy.failure(part.detail) };
  const result = reached > 0 ? copy.success(reached, missed) : copy.nobodyReached(missed);
  const ownResult = isOnlyPart ? "" : `${result}. `;
  return { kind: "error", text: ownResult + platform.broadcast.short[ending] };
}
