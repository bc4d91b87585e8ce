import { useHydrated } from "~/components/use-hydrated";
import { localDayAndMinute, localTime, utcSecond, utcTime } from "~/lib/format-time";
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
  const format = isLocal
    ? { exact: localTime, brief: localDayAndMinute }
    : { exact: utcSecond, brief: utcTime };
  return (
    <time dateTime={iso} title={iso} className={className}>
      {brief ? format.brief(at) : format.exact(at)}
    </time>
  );
}
