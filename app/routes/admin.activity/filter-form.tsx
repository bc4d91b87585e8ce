import { getActorName, groupedActions, outcomes } from "~/content/activity-sentences";
import { ChoiceField } from "~/components/choice-field";
import { DayFields } from "~/components/day-fields";
import { ListFilter } from "~/components/list-filter";
import { paths } from "~/paths";
import { toSearch } from "~/http/list-state";
import type { ErrorsOf, ValuesOf } from "~/http/list-state";
import type { activityList } from "./filter";

type FilterFormProps = {
  values: ValuesOf<typeof activityList>;
  errors: ErrorsOf<typeof activityList> | undefined;
  actors: readonly string[];
};

/** Filters by actor, action, outcome and date. */
export function FilterForm({ values, errors, actors }: FilterFormProps) {
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
