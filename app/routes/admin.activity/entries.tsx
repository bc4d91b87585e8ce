import { Link } from "@remix-run/react";
import { outcomes, getSentence } from "~/content/activity-sentences";
import { PageLinks } from "~/components/page-links";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { toPageLinks, type ValuesOf } from "~/http/list-state";
import { utcTime } from "~/lib/format-time";
import { formatNetwork } from "~/lib/network-address";
import { utcDay, formatUtcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import type { ActivityEntry } from "~/services/audit/activity.server";
import type { activityList } from "./filter";
import { EmptyList } from "~/components/empty-list";

type EntriesProps = {
  entries: readonly ActivityEntry[];
  /** The filter's values, for links to other pages. */
  values: ValuesOf<typeof activityList>;
  /** The last id shown, when there are more. */
  older: string | undefined;
  isNewest: boolean;
};

/** Lists a page of activity entries by day: lines on wide screens, cards on narrow ones. */
export function Entries({ entries, values, older, isNewest }: EntriesProps) {
  const days = Map.groupBy(entries, (entry) => utcDay(entry.at));
  return (
    <Card>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <h2
            id={`day-${day}`}
            className="border-b bg-muted/60 px-4 py-2 text-2xs font-medium text-muted-foreground"
          >
            {formatUtcDay(ofDay[0]?.at ?? 0)}
          </h2>
          <ol className="divide-y border-b">
            {ofDay.map((entry) => (
              <EntryLine key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      <PageLinks
        title="the activity"
        count={`${entries.length === 1 ? "1 entry" : `${entries.length} entries`} on this page`}
        {...toPageLinks(paths.activity, { older, isNewest }, values)}
        className="px-4 py-2.5"
      />
    </Card>
  );
}

function EntryLine({ entry }: { entry: ActivityEntry }) {
  const { actor, before, subject, after } = getSentence(entry);
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-muted/60 max-md:grid-cols-[1fr_auto] md:grid-cols-[2.75rem_minmax(0,1fr)_4rem_9rem_5.5rem] md:items-baseline md:py-2 xl:grid-cols-[2.75rem_minmax(0,1fr)_4rem_10rem_17rem]">
      <time
        dateTime={new Date(entry.at).toISOString()}
        title={utcTime(entry.at)}
        className="text-xs text-muted-foreground"
      >
        {utcTime(entry.at).slice(11, 16)}
      </time>
      <p className="wrap-anywhere max-md:order-last max-md:col-span-2">
        <bdi className="font-medium">{actor}</bdi> {before}
        {subject === undefined ? null : <Subject entry={entry} text={subject} />}
        {after}
      </p>
      <p>
        {entry.outcome === "ok" ? (
          <span className="sr-only">{outcomes.ok}</span>
        ) : (
          <Badge variant={entry.outcome === "failed" ? "danger" : "warning"}>{outcomes[entry.outcome]}</Badge>
        )}
      </p>
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 text-muted-foreground max-md:order-last max-md:col-span-2 md:contents">
        <p className="text-xs">{entry.network ? `from ${formatNetwork(entry.network)}` : null}</p>
        <p className="min-w-0 truncate font-mono text-2xs">
          {entry.requestId ? (
            <>
              <span className="sr-only">Request </span>
              <Link
                to={paths.logSearch(entry.requestId)}
                title={`Log lines of request ${entry.requestId}`}
                className="underline-offset-4 hover:underline"
              >
                {entry.requestId}
              </Link>
            </>
          ) : null}
        </p>
      </div>
    </li>
  );
}

/** Links the subject when the campaign or broadcast still exists. */
function Subject({ entry, text }: { entry: ActivityEntry; text: string }) {
  if (entry.campaignTitle === undefined) return <bdi>{text}</bdi>;
  return (
    <Link
      to={entry.isBroadcast ? paths.broadcast(entry.subject) : paths.outreachCampaign(entry.subject)}
      className="font-medium text-primary underline-offset-4 hover:underline"
    >
      <bdi>{text}</bdi>
    </Link>
  );
}

const newest = { to: paths.activity, name: "Show the newest entries" };

/** Replaces the entries when there are none: says why, and what to do about it. */
export function NothingFound(page: { isWrong: boolean; isFiltered: boolean; isNewest: boolean }) {
  if (page.isWrong) {
    const text = "Correct the marked fields above and press Apply.";
    return <EmptyList title="Check the filters" then={text} />;
  }
  if (!page.isNewest) {
    const text = "This is the beginning of the activity.";
    return <EmptyList title="No older entries" then={{ ...newest, text }} />;
  }
  if (page.isFiltered) {
    const text = "Try fewer filters or more days.";
    return <EmptyList title="Nothing matches" then={{ ...newest, text }} />;
  }
  const text = "Logins, campaigns and unsubscriptions appear here: who, when and from where.";
  return <EmptyList title="No activity yet" then={text} />;
}
