import { useHydrated } from "~/components/use-hydrated";
import { localDayAndMinute, localTime, utcSecond } from "~/lib/format-time";
import { cn } from "~/lib/class-names";

type LogTimeProps = {
  /** Undefined when the line's date has an unknown format. */
  at: number | undefined;
  date: string;
  /** Day, hour and minute in the reader's locale (specification: the small screens' list). */
  brief?: boolean;
  className?: string;
};

/** Shows a time in the reader's time zone; without JavaScript that zone is unknown, and the time is in UTC. */
export function LogTime({ at, date, brief = false, className }: LogTimeProps) {
  const isLocal = useHydrated();
  if (at === undefined) return <bdi className={cn("wrap-anywhere", className)}>{date}</bdi>;
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso} className={cn("whitespace-nowrap tabular-nums", className)}>
      {isLocal ? (brief ? localDayAndMinute(at) : localTime(at)) : utcSecond(at, brief)}
    </time>
  );
}
