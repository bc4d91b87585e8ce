import { ExactTime } from "~/components/timestamp";
import { cn } from "~/lib/utils";

type LogTimeProps = {
  at?: number | undefined;
  /** The line's own words for a time of an unknown format. */
  date?: string | undefined;
  /** Only day, hour and minute (specification: the small screens' list). */
  brief?: boolean;
  className?: string;
};

/** Shows a line's time in the operator's zone. */
export function LogTime({ at, date, brief = false, className }: LogTimeProps) {
  if (at === undefined) return <bdi className={cn("wrap-anywhere", className)}>{date}</bdi>;
  return <ExactTime at={at} to={brief ? "minute" : "second"} className={className} />;
}
