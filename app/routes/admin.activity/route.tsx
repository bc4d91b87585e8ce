import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ChoiceField } from "~/components/choice-field";
import { CsvDownloadForm } from "~/components/csv-download-form";
import { DayFields } from "~/components/day-fields";
import { ListFilter } from "~/components/list-filter";
import { PageHeader } from "~/components/page-header";
import { getActorName, groupedActions, outcomes } from "~/content/activity-sentences";
import { backOfficeTitle } from "~/content/brand";
import { toPage, toSearch } from "~/http/list-state";
import { paths } from "~/paths";
import { access, activity } from "~/services/container.server";
import { Entries, NothingFound } from "./entries";
import { activityList } from "./filter";

const PAGE_SIZE = 50;

export const meta: MetaFunction = () => [{ title: backOfficeTitle("Activity") }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? undefined;
  const read = activityList.read(searchParams);
  const [actors, found] = await Promise.all([
    activity.actors(),
    read.ok ? activity.list(read.filter, { before, limit: PAGE_SIZE + 1 }) : [],
  ]);
  const view = {
    actors,
    ...toPage(found, PAGE_SIZE),
    now: Date.now(),
    isNewest: before === undefined,
    values: read.values,
    errors: read.ok ? undefined : read.errors,
  };
  return data(view, { status: read.ok ? 200 : 422 });
}

/** The Activity screen: actor, action, subject, time, origin and outcome of every audit entry. */
export default function Activity() {
  const { actors, rows: entries, now, isNewest, values, errors, older } = useLoaderData<typeof loader>();
  const search = toSearch(values);
  const [newest] = entries;
  return (
    <>
      <PageHeader
        title="Activity"
        state="Entries are only ever added."
        latest={
          newest && isNewest
            ? { text: `The newest ${search ? "of these " : ""}was written`, at: newest.at, now }
            : undefined
        }
        actions={
          entries.length > 0 ? (
            <CsvDownloadForm
              action={`${paths.activityExport}?${search}`}
              name={search ? "Download these as CSV" : "Download all as CSV"}
            />
          ) : null
        }
      />
      <div className="flex flex-col gap-4">
        <FilterForm key={search} values={values} errors={errors} actors={actors} />
        {entries.length > 0 ? (
          <Entries entries={entries} values={values} older={older} isNewest={isNewest} />
        ) : (
          <NothingFound isWrong={errors !== undefined} isFiltered={search !== ""} isNewest={isNewest} />
        )}
      </div>
    </>
  );
}

type FilterFormProps = Pick<ReturnType<typeof useLoaderData<typeof loader>>, "values" | "errors" | "actors">;

/** Filters by actor, action, outcome and date. */
function FilterForm({ values, errors, actors }: FilterFormProps) {
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
      isFiltered={toSearch(values) !== ""}
      className="md:grid-cols-3 lg:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,2fr)_9.5rem_9.5rem_auto]"
    >
      <ChoiceField
        {...field("who")}
        label="Who"
        any="Anyone"
        choices={people}
        className="max-md:col-span-full"
      />
      <ChoiceField {...field("action")} label="What" any="Anything" choices={groupedActions} />
      <ChoiceField {...field("outcome")} label="Outcome" any="Any" choices={outcomes} />
      <DayFields values={values} errors={errors} />
    </ListFilter>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
