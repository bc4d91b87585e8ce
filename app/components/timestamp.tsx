import { useTimeZone } from "~/components/time-zone";
import { relativeTime, utcSecond, utcTime, zonedMinute, zonedSecond } from "~/lib/format-time";
import { cn } from "~/lib/utils";

type TimestampProps = {
  /** Epoch milliseconds, both. `now` comes from the loader, so that server and browser render the same text. */
  at: number;
  now: number;
  /** True to show the exact time before the relative one, where there is room (a wide table). */
  exact?: boolean;
  className?: string;
};

/** A relative time, whose exact time in UTC is its title. */
export function Timestamp({ at, now, exact = false, className }: TimestampProps) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={new Date(at).toISOString()} title={utcTime(at)} className={className}>
      {exact ? (
        <>
          {/* A date would break at its hyphens. */}
          <span className="whitespace-nowrap max-md:hidden">{zonedMinute(at, timeZone)}</span>{" "}
          <span className="md:max-xl:hidden xl:ml-2 xl:text-muted-foreground">{relativeTime(at, now)}</span>
        </>
      ) : (
        relativeTime(at, now)
      )}
    </time>
  );
}

type ExactTimeProps = {
  /** Epoch milliseconds. */
  at: number;
  /** The shown precision. */
  to?: "minute" | "second";
  className?: string;
};

/** An exact time in the operator's zone, which the frame names; in UTC it is its title. */
export function ExactTime({ at, to = "minute", className }: ExactTimeProps) {
  const timeZone = useTimeZone();
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={utcSecond(at)}
      className={cn("whitespace-nowrap", className)}
    >
      {to === "minute" ? zonedMinute(at, timeZone) : zonedSecond(at, timeZone)}
    </time>
  );
}
