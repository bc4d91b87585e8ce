import { Link } from "@remix-run/react";
import { LoaderCircle } from "~/components/icons";
import { Banner } from "~/components/banner";
import { AutoRefresh } from "~/components/auto-refresh";
import { getBroadcastResult } from "~/components/broadcast-result";
import type { BroadcastStats } from "~/components/broadcast-result";
import { Meter } from "~/components/meter";
import { Card, CardContent } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";

const { notifications: copy, platform } = operatorMessages;

interface BroadcastProgressProps {
  state: keyof typeof operatorMessages.campaignStatus.states;
  /** The push service's error message when the broadcast was paused automatically. */
  trouble: string;
  stats: BroadcastStats;
  at: string;
  /** The broadcast's own page; left out on that page. */
  page?: string;
}

/** Renders the progress or the result of a broadcast in the specification's words (section 8). */
export function BroadcastProgress({ state, trouble, stats, at, page }: BroadcastProgressProps) {
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
          {stats.devices > 0 ? (
            <Meter kind="progressbar" label={copy.send} value={done} max={stats.devices} />
          ) : null}
          <p className="text-muted-foreground">
            {stats.retrying > 0 ? `${copy.retrying(stats.retrying)} ` : ""}
            {copy.goesOn} {more}
          </p>
        </CardContent>
      </Card>
    );
  }
  const { kind, text } = getBroadcastResult(state, trouble, stats);
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
