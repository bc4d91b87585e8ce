import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ChoiceField } from "~/components/choice-field";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DayFields } from "~/components/day-fields";
import { EmptyList } from "~/components/empty-list";
import { ListFilter } from "~/components/list-filter";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { PageLinks } from "~/components/page-links";
import { useTimeZone } from "~/components/time-zone";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { getActorName, getSentence, groupedActions, outcomes } from "~/content/activity-sentences";
import { backOfficeTitle } from "~/components/use-brand";
import { filterMessages } from "~/content/lists";
import { readPage, readPlace, toPageLinks, toSearch } from "~/http/list-state";
import { activityList } from "~/http/lists/activity-list";
import { utcTime, zonedClock } from "~/lib/format-time";
import { formatNetwork } from "~/lib/network-address";
import { formatUtcDay } from "~/lib/utc-day";
import { zonedDay } from "~/lib/zoned-day";
import { toWallTime } from "~/lib/zoned-time";
import { paths } from "~/paths";
import type { ActivityEntry } from "~/services/audit/activity.server";
import { access, activity, savedViews } from "~/services/container.server";

const PAGE_SIZE = 50;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, "Activity") }];

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const read = activityList.read(searchParams, operator.timeZone);
  const [actors, views, page] = await Promise.all([
    activity.actors(),
    savedViews.list(operator, paths.activity),
    readPage(readPlace(searchParams), PAGE_SIZE, async (page) =>
      read.ok ? activity.list(read.filter, page) : [],
    ),
  ]);
  const view = {
    actors,
    views,
    ...page,
    now: Date.now(),
    values: read.values,
    errors: read.ok ? undefined : read.errors,
  };
  return data(view, { status: read.ok ? 200 : 422 });
}

/** The Activity screen: actor, action, subject, time, origin and outcome of every audit entry. */
export default function Activity() {
  const view = useLoaderData<typeof loader>();
  const { rows, now, isFirst } = view;
  const search = toSearch(view.values);
  const [newest] = rows;
  return (
    <>
      <PageHeader
        title="Activity"
        state="Entries are only ever added."
        latest={
          newest && isFirst
            ? { text: `The newest ${search ? "of these " : ""}was written`, at: newest.at, now }
            : undefined
        }
        actions={
          newest ? (
            <CsvDownloadForm action={`${paths.activityExport}?${search}`} isFiltered={search !== ""} />
          ) : null
        }
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-3">
        <FilterForm {...view} />
        {newest ? <Entries {...view} /> : <NothingFound {...view} />}
      </div>
    </>
  );
}

type View = ReturnType<typeof useLoaderData<typeof loader>>;

function FilterForm({ values, errors, actors, views }: View) {
  const people = Object.fromEntries(actors.map((actor) => [actor, getActorName(actor)]));
  const field = (name: "who" | "action" | "outcome") => ({
    name,
    value: values[name],
    error: errors?.[name],
  });
  return (
    <ListFilter
      label="Filter the activity"
      page={paths.activity}
      values={values}
      saved={{ list: paths.activity, values, views }}
      moreNames={["outcome", "from", "to"]}
      isMoreOpen={Boolean(errors?.outcome || errors?.from || errors?.to)}
      more={
        <>
          <ChoiceField
            {...field("outcome")}
            label="Outcome"
            any="Any"
            choices={outcomes}
            className="col-span-full"
          />
          <DayFields values={values} errors={errors} />
        </>
      }
    >
      <ChoiceField
        {...field("who")}
        label="Who"
        any="Anyone"
        choices={people}
        className="min-w-40 flex-1 max-sm:basis-full"
      />
      <ChoiceField
        {...field("action")}
        label="What"
        any="Anything"
        choices={groupedActions}
        className="min-w-40 flex-1"
      />
    </ListFilter>
  );
}

/** Lists a page of activity entries by day: lines on wide screens, cards on narrow ones. */
function Entries(view: View) {
  const { rows, values } = view;
  const timeZone = useTimeZone();
  const days: { day: string; entries: (typeof rows)[number][] }[] = [];
  for (const entry of rows) {
    const day = zonedDay(entry.at, timeZone);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return (
    <Card>
      {days.map(({ day, entries }) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <h2
            id={`day-${day}`}
            className="border-b bg-muted/60 px-4 py-2 text-2xs font-medium text-muted-foreground"
          >
            {formatUtcDay(toWallTime(entries[0]?.at ?? 0, timeZone))}
          </h2>
          <ol className="divide-y border-b">
            {entries.map((entry) => (
              <EntryLine key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      <PageLinks
        title="the activity"
        count={`${rows.length === 1 ? "1 entry" : `${rows.length} entries`} on this page`}
        newestNoun="entries"
        {...toPageLinks(paths.activity, view, values)}
        className="px-4 py-2.5"
      />
    </Card>
  );
}

function EntryLine({ entry }: { entry: ActivityEntry }) {
  const timeZone = useTimeZone();
  const { actor, before, subject, after } = getSentence(entry);
  return (
    <li
      data-row
      className="grid scroll-mb-12 gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-muted/60 max-md:grid-cols-[1fr_auto] md:grid-cols-[2.75rem_minmax(0,1fr)_4rem_9rem_5.5rem] md:items-baseline md:py-2 xl:grid-cols-[2.75rem_minmax(0,1fr)_4rem_10rem_17rem]"
    >
      <time
        dateTime={new Date(entry.at).toISOString()}
        title={utcTime(entry.at)}
        className="text-xs text-muted-foreground"
      >
        {zonedClock(entry.at, timeZone)}
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
          <Badge variant={entry.outcome === "failed" ? "destructive" : "warning"}>
            {outcomes[entry.outcome]}
          </Badge>
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
  if (entry.subjectTitle === undefined) return <bdi>{text}</bdi>;
  return (
    <Link
      to={entry.isBroadcast ? paths.broadcast(entry.subject) : paths.outreachCampaign(entry.subject)}
      className="font-medium text-primary underline-offset-4 hover:underline"
    >
      <bdi>{text}</bdi>
    </Link>
  );
}

const toNewest = { to: paths.activity, name: "Show the newest entries" };

/** Replaces the entries when there are none: says why, and what to do about it. */
function NothingFound({ values, errors, isFirst }: View) {
  if (errors) return <EmptyList title={filterMessages.wrong} description={filterMessages.wrongText} />;
  if (!isFirst) {
    const text = "This is the beginning of the activity.";
    return <EmptyList title="No older entries" description={text} action={toNewest} />;
  }
  if (toSearch(values) !== "") {
    const text = "Try fewer filters or more days.";
    return <EmptyList title="Nothing matches" description={text} action={toNewest} />;
  }
  const text = "Logins, campaigns and unsubscriptions appear here: who, when and from where.";
  return <EmptyList title="No activity yet" description={text} />;
}

export { Failure as ErrorBoundary } from "~/components/failure";
