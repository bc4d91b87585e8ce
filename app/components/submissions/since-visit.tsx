import { TextLink } from "~/components/text-link";
import { visitMessages as copy } from "~/content/visits";
import { linkTo } from "~/http/list-state";
import { useTimeZone } from "~/components/time-zone";
import { zonedMinute } from "~/lib/format-time";
import { startOfUtcMinute, utcMinute } from "~/lib/utc-minute";

interface SinceVisitProps {
  /** The address of the list, and its filter. */
  page: string;
  values: Readonly<Record<string, string>> & { readonly since: string };
  /** Since when rows are new to the operator; undefined during their first visit. */
  newSince: number | undefined;
  newCount: { readonly count: number; readonly isMore: boolean } | undefined;
}

/** Leads to all rows that are new since the last visit and, under that filter, back. */
export function SinceVisit({ page, values, newSince, newCount }: SinceVisitProps) {
  const timeZone = useTimeZone();
  const filteredAt = startOfUtcMinute(values.since);
  if (filteredAt !== undefined) {
    return (
      <>
        {filteredAt === newSince ? copy.filtered : copy.filteredSince(zonedMinute(filteredAt, timeZone))}{" "}
        <TextLink to={linkTo(page, { ...values, since: "" })}>{copy.showAll}</TextLink>
      </>
    );
  }
  if (newSince === undefined || newCount === undefined) return null;
  if (newCount.count === 0) return `${copy.noneSinceVisit}.`;
  return <TextLink to={linkTo(page, { since: utcMinute(newSince) })}>{copy.newRows(newCount)}</TextLink>;
}
