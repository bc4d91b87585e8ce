import { AutoRefresh } from "~/components/auto-refresh";
import { Banner } from "~/components/banner";
import { LoaderCircle } from "lucide-react";
import { Link } from "@remix-run/react";
import { Progress } from "~/components/ui/progress";
import { Card, CardContent } from "~/components/ui/card";
import { notificationMessages as copy } from "~/content/notifications";
import { platformMessages as platform } from "~/content/platform";
import type { Broadcast } from "~/services/broadcast/broadcast-state.server";
import type { BroadcastStats } from "~/services/broadcast/broadcast-stats.server";

interface BroadcastProgressProps extends Pick<Broadcast, "state" | "problem"> {
  stats: BroadcastStats;
  at: string;
  /** The broadcast's own page; left out on that page. */
  page?: string;
}

/** Renders the progress or the result of a broadcast in the specification's words (section 8). */
export function BroadcastProgress({ state, problem, stats, at, page }: BroadcastProgressProps) {
  const more = page ? (
    <Link to={page} className="underline underline-offset-2">
      {copy.seeDevices}
    </Link>
  ) : null;
  if (state === "preparing" || state === "sending") {
    const done = stats.devices - stats.waiting;
    return (
      <Card>
        <CardContent className="flex flex-col gap-3">
          <AutoRefresh everySeconds={1} at={at} version={stats} />
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
            {copy.goesOn} {more}
          </p>
        </CardContent>
      </Card>
    );
  }
  const { kind, text } = getBroadcastResult(state, problem, stats);
  return (
    <Banner kind={kind}>
      {text} {more}
    </Banner>
  );
}

function formatProgress(
  state: "preparing" | "sending",
  { devices, waiting, platform: part }: BroadcastStats,
): string {
  if (part && waiting === 0 && state === "sending") return platform.broadcast.underWay;
  return state === "preparing" ? copy.preparing(devices) : copy.progress(devices - waiting, devices);
}

/** Returns the result of a finished or paused broadcast and its colour (specification, section 8). */
export function getBroadcastResult(
  state: Broadcast["state"],
  problem: string,
  stats: BroadcastStats,
): { kind: "success" | "error" | "info"; text: string } {
  const { sent, failed, gone, platform: part } = stats;
  const reached = sent + (part?.successCount ?? 0);
  const missed = failed + gone + (part?.failureCount ?? 0);
  if (state === "cancelled") return { kind: "info", text: copy.page.cancelled(reached) };
  if (state !== "finished") {
    return problem
      ? { kind: "error", text: copy.refusedWith(problem) }
      : { kind: "info", text: copy.page.paused };
  }
  const result = reached > 0 ? copy.success(reached, missed) : copy.nobodyReached(missed);
  if (part?.state !== "failed" && part?.state !== "uncertain") {
    if (reached > 0) return { kind: "success", text: result };
    return { kind: missed > 0 ? "error" : "info", text: result };
  }
  const partResult = platform.broadcast.short[part.state];
  if (reached + missed > 0) return { kind: "error", text: `${result}. ${partResult}` };
  return { kind: "error", text: part.state === "failed" ? copy.refusedWith(part.detail) : partResult };
}
