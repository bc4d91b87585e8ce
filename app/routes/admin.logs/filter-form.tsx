import { ChoiceField } from "~/components/choice-field";
import { DayFields } from "~/components/day-fields";
import { Field } from "~/components/field";
import { ListFilter } from "~/components/list-filter";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { toSearch } from "~/http/list-state";
import type { LogsView } from "./logs-view.server";

const copy = operatorMessages.logs;

/** By words, level and days. */
export function FilterForm({ view: { values, errors, levels } }: { view: LogsView }) {
  return (
    <ListFilter
      label={copy.filter}
      page={paths.logs}
      isFiltered={toSearch(values) !== ""}
      className="md:grid-cols-[minmax(0,1fr)_9rem_9.5rem_9.5rem_auto]"
    >
      <Field label={copy.search} error={errors?.q} className="max-md:col-span-full">
        {(control) => <Input {...control} size="dense" type="search" name="q" defaultValue={values.q} />}
      </Field>
      <ChoiceField
        name="level"
        label={copy.level}
        value={values.level}
        choices={Object.fromEntries(levels.map((level) => [level, level]))}
        any={copy.anyLevel}
        error={errors?.level}
        className="max-md:col-span-full"
      />
      <DayFields values={values} errors={errors} />
    </ListFilter>
  );
}
