import { useHydrated } from "~/components/use-hydrated";
import { localDayAndMinute, localTime, utcSecond, utcTime } from "~/lib/format-time";
import { cn } from "~/lib/class-names";

type LogTimeProps = {
  at?: number | undefined;
  /** The line's own words for a time of an unknown format. */
  date?: string | undefined;
  /** Day, hour and minute in the reader's locale (specification: the small screens' list). */
  brief?: boolean;
  className?: string;
};

/** Shows a time in the reader's time zone, titled in UTC; without JavaScript, in UTC: the zone is unknown. */
export function LogTime({ at, date, brief = false, className }: LogTimeProps) {
  const isLocal = useHydrated();
  if (at === undefined) return <bdi className={cn("wrap-anywhere", className)}>{date}</bdi>;
  const iso = new Date(at).toISOString();
  const format = isLocal
    ? { exact: localTime, brief: localDayAndMinute }
    : { exact: utcSecond, brief: utcTime };
  return (
    <time dateTime={iso} title={isLocal && !brief ? iso : undefined} className={className}>
      {brief ? format.brief(at) : format.exact(at)}
    </time>
  );
}
