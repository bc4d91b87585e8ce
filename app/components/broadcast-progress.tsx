import { Link } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Banner } from "~/components/banner";
import { Card, CardContent } from "~/components/ui/card";
import { Progress } from "~/components/ui/progress";
import { notificationMessages as copy } from "~/content/notifications";
import { getBroadcastCounts } from "~/lib/broadcast-counts";
import type { campaignStatusMessages } from "~/content/outreach";
import { platformMessages } from "~/content/platform";

type BroadcastState = keyof typeof campaignStatusMessages.states;

/** Totals of a broadcast's devices. */
interface BroadcastStats {
  devices: number;
  sent: number;
  failed: number;
  gone: number;
  skipped: number;
  /** Not settled; `retrying` are those of them that failed before. */
  waiting: number;
  retrying: number;
  /** The part that the application's backend sends, to devices of its own; undefined without one. */
  platform: PlatformPart | undefined;
}

interface PlatformPart {
  state: keyof typeof platformMessages.broadcast.states;
  /** The reason of a failure. */
  detail: string;
  successCount: number;
  failureCount: number;
}

/** Why a broadcast is paused. */
interface BroadcastHold {
  /** "operator", "restored", or what a push service refused. */
  by: string;
  /** The push service's reply, or the sentence of the restore. */
  detail: string;
}

interface BroadcastProgressProps {
  state: BroadcastState;
  hold: BroadcastHold;
  stats: BroadcastStats;
  /**
   * The page's AutoRefresh, rendered while the broadcast is sent, and while the rest of a cancelled one is skipped; null behind
   * an open dialog, which it would close.
   */
  refresh: ReactNode;
  /** The broadcast's own page; left out on that page. */
  page?: string;
}

/** Renders the progress or the result of a broadcast in the specification's words (section 8). */
export function BroadcastProgress({ state, hold, stats, refresh, page }: BroadcastProgressProps) {
  const devicesLink = page ? (
    <Link to={page} className="underline underline-offset-2">
      {copy.seeDevices}
    </Link>
  ) : null;
  if (state === "preparing" || state === "sending") {
    const done = stats.devices - stats.waiting;
    return (
      <Card>
        <CardContent className="flex flex-col gap-3">
          {refresh}
          <p role="status" className="flex items-center gap-2.5 font-medium tabular-nums">
            <LoaderCircle
              aria-hidden
              className="size-4 animate-spin text-primary motion-reduce:animate-none"
            />
            {formatProgress(state, stats)}
          </p>
          {stats.devices > 0 ? <Progress aria-label={copy.send} value={done} max={stats.devices} /> : null}
          <p className="text-muted-foreground">
            {stats.retrying > 0 ? `${copy.retrying(stats.retrying)} ` : ""}
            {copy.goesOn} {devicesLink}
          </p>
        </CardContent>
      </Card>
    );
  }
  const { kind, text } = getBroadcastResult(state, hold, stats);
  return (
    <Banner kind={kind}>
      {state === "cancelled" && stats.waiting > 0 ? refresh : null}
      {text} {devicesLink}
    </Banner>
  );
}

function formatProgress(
  state: "preparing" | "sending",
  { devices, waiting, platform: part }: BroadcastStats,
): string {
  if (state === "preparing") return copy.preparing(devices);
  // With our own devices done, only the platform's part can keep it going.
  if (part && waiting === 0) return platformMessages.broadcast.underWay;
  return copy.progress(devices - waiting, devices);
}

/** Returns the result of a finished, cancelled or paused broadcast and its colour (specification, section 8). */
export function getBroadcastResult(
  state: BroadcastState,
  hold: BroadcastHold,
  stats: BroadcastStats,
): { kind: "success" | "error" | "info"; text: string } {
  const { platform: part } = stats;
  const { successCount: reached, failureCount: missed } = getBroadcastCounts(stats);
  if (state === "cancelled") return { kind: "info", text: copy.page.cancelled(reached) };
  // Paused: nothing asks for the result of a draft, or of one that moves.
  if (state !== "finished") {
    if (hold.by === "restored") return { kind: "info", text: hold.detail };
    return hold.by === "operator"
      ? { kind: "info", text: copy.page.paused }
      : { kind: "error", text: copy.refusedWith(hold.detail) };
  }
  const counts = reached > 0 ? copy.success(reached, missed) : copy.nobodyReached(missed, stats.skipped);
  if (part?.state === "failed" || part?.state === "uncertain") {
    const partResult = platformMessages.broadcast.short[part.state];
    if (reached + missed > 0) return { kind: "error", text: `${counts}. ${partResult}` };
    // With nothing to count, what the platform says is the whole result.
    return { kind: "error", text: part.state === "failed" ? copy.refusedWith(part.detail) : partResult };
  }
  if (reached > 0) return { kind: "success", text: counts };
  return { kind: missed > 0 ? "error" : "info", text: counts };
}
