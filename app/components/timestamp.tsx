import { relativeTime, utcTime } from "~/lib/format-time";
import { cn } from "~/lib/utils";

type TimestampProps = {
  /** Epoch milliseconds, both. `now` comes from the loader, so that server and browser render the same text. */
  at: number;
  now: number;
  /** True to show the exact time before the relative one, where there is room (a wide table). */
  exact?: boolean;
  className?: string;
};

export function Timestamp({ at, now, exact = false, className }: TimestampProps) {
  const utc = utcTime(at);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={utc}
      className={cn(exact && "exact-time", className) || undefined}
    >
      {exact ? (
        <>
          <span>{`${utc} `}</span>
          <span>{relativeTime(at, now)}</span>
        </>
      ) : (
        relativeTime(at, now)
      )}
    </time>
  );
}
