import { useHydrated } from "~/components/use-hydrated";
import { localDayAndMinute, localTime, utcSecond } from "~/lib/format-time";
import { cn } from "~/lib/class-names";

type LogTimeProps = {
  /** Undefined where the line's date has another form. */
  at: number | undefined;
  /** The line's date as it stands there. */
  date: string;
  /** Day, hour and minute in the reader's own way of writing a day (specification: the small screens' list). */
  brief?: boolean;
  className?: string;
};

/** A moment on the reader's own clock; without JavaScript nobody knows that clock, and UTC is said. */
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
