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

/**
 * Returns the result of a finished or paused broadcast and its colour (specification, section 8).
 * @param trouble the push service's error message when the broadcast was paused automatically.
 */
export function getBroadcastResult(
  state: keyof typeof operatorMessages.campaignStatus.states,
  trouble: string,
  stats: BroadcastStats,
): { kind: "success" | "error" | "info"; text: string } {
  const { sent, failed, gone, platform: part } = stats;
  const reached = sent + (part?.successCount ?? 0);
  const missed = failed + gone + (part?.failureCount ?? 0);
  if (state === "cancelled") return { kind: "info", text: copy.page.cancelled(reached) };
  if (state !== "finished") {
    return trouble
      ? { kind: "error", text: copy.failure(trouble) }
      : { kind: "info", text: copy.page.paused };
  }
  const result = reached > 0 ? copy.success(reached, missed) : copy.nobodyReached(missed);
  if (part?.state !== "failed" && part?.state !== "uncertain") {
    if (reached > 0) return { kind: "success", text: result };
    return { kind: missed > 0 ? "error" : "info", text: result };
  }
  const partResult = platform.broadcast.short[part.state];
  if (reached + missed > 0) return { kind: "error", text: `${result}. ${partResult}` };
  return { kind: "error", text: part.state === "failed" ? copy.failure(part.detail) : partResult };
}
