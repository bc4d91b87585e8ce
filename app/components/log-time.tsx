import { useHydrated } from "~/components/use-hydrated";
import { zoneMessages as copy } from "~/content/lists";
import { localDayAndMinute, bareUtcMinute, bareUtcSecond } from "~/lib/format-time";
import { cn } from "~/lib/utils";

type LogTimeProps = {
  at?: number | undefined;
  /** The line's own words for a time of an unknown format. */
  date?: string | undefined;
  /**
   * Day, hour and minute in the reader's locale and time zone (specification: the small screens' list); without
   * JavaScript in UTC, because the zone is unknown.
   */
  brief?: boolean;
  className?: string;
};

/** Shows a line's time in UTC, without naming the zone: the screen does it once (LogZone). */
export function LogTime({ at, date, brief = false, className }: LogTimeProps) {
  const isLocal = useHydrated();
  if (at === undefined) return <bdi className={cn("wrap-anywhere", className)}>{date}</bdi>;
  const text = !brief ? bareUtcSecond(at) : isLocal ? localDayAndMinute(at) : bareUtcMinute(at);
  return (
    <time dateTime={new Date(at).toISOString()} className={className}>
      {text}
    </time>
  );
}

/** Names the time zone of the log's screen: UTC, but for the list of small screens with JavaScript. */
export function LogZone() {
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
  if (zone === "UTC") return copy.utc;
  return (
    <>
      <span className="max-sm:hidden">{copy.utc}</span>
      <span className="sm:hidden">{copy.local(zone)}</span>
    </>
  );
}
