import { relativeTime, utcTime } from "~/lib/format-time";
import { cn } from "~/lib/class-names";

type TimestampProps = {
  /** Epoch milliseconds, both; `now` comes from the loader, so that server and browser write the same words. */
  at: number;
  now: number;
  /** Where there is room for it (a wide table), the exact time stands before the relative one. */
  exact?: boolean;
  className?: string;
};

/** A moment as people say it; the exact one is in its title. */
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
