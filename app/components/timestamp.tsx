import { relativeTime, utcTime } from "~/lib/format-time";
import { cn } from "~/lib/class-names";

type TimestampProps = {
  /** Epoch milliseconds, both. `now` comes from the loader, so that server and browser render the same text. */
  at: number;
  now: number;
  /** True to show the exact time before the relative one, where there is room (a wide table). */
  exact?: boolean;
  className?: string;
};

export function Timestamp({ at, now, exact = false, className }: TimestampProps) {
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={utcTime(at)}
      className={cn("whitespace-nowrap", className)}
    >
      {exact ? <span className="hidden md:inline">{utcTime(at)} </span> : null}
      <span className={cn(exact && "md:hidden xl:ml-2 xl:inline xl:text-muted-foreground")}>
        {relativeTime(at, now)}
      </span>
    </time>
  );
}
