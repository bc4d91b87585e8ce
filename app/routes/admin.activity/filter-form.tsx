import { Form, Link } from "@remix-run/react";
import { actorName, deedNames, outcomes } from "~/activity-sentences";
import { Field } from "~/components/field";
import { Button, buttonVariants } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { Select } from "~/components/ui/select";
import { paths } from "~/paths";
import { filterSearch, type FilterErrors, type FilterValues } from "./filter";

type FilterFormProps = {
  values: FilterValues;
  errors: FilterErrors | undefined;
  actors: readonly string[];
};

interface Choice {
  value: string;
  name: string;
}

/** Everything it asks for stands in the URL, so that a page of the activity can be kept and passed on. */
export function FilterForm({ values, errors, actors }: FilterFormProps) {
  const choices = {
    who: actors.map((actor) => ({ value: actor, name: actorName(actor) })),
    deed: deedNames.map(({ action, name }) => ({ value: action, name })),
    outcome: Object.entries(outcomes).map(([value, name]) => ({ value, name })),
  };
  const choice = (name: keyof typeof choices, label: string, any: string, className: string) => (
    <Field label={label} error={errors?.[name]} className={className}>
      {(control) => (
        <Select {...control} size="dense" name={name} defaultValue={values[name]}>
          <option value="">{any}</option>
          {withChosen(choices[name], values[name]).map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
  const day = (name: "from" | "to", label: string) => (
    <Field label={label} error={errors?.[name]}>
      {(control) => (
        <Input
          {...control}
          size="dense"
          name={name}
          // A date field would throw away what is no date, and nobody could see what was wrong with it.
          type={errors?.[name] ? "text" : "date"}
          defaultValue={values[name]}
        />
      )}
    </Field>
  );
  return (
    <Card className="p-4">
      <Form
        method="get"
        role="search"
        aria-label="Filter the activity"
        className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3 lg:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,2fr)_9.5rem_9.5rem_auto]"
      >
        {choice("who", "Who", "Anyone", "max-sm:col-span-2")}
        {choice("deed", "What", "Anything", "")}
        {choice("outcome", "Outcome", "Any", "")}
        {day("from", "From (UTC)")}
        {day("to", "To (UTC)")}
        <div className="flex gap-2 max-sm:col-span-2 sm:pt-6.5">
          <Button type="submit" size="dense">
            Show
          </Button>
          {filterSearch(values) ? (
            <Link to={paths.activity} className={buttonVariants({ variant: "quiet", size: "dense" })}>
              Clear
            </Link>
          ) : null}
        </div>
      </Form>
    </Card>
  );
}

/** What was asked for stays chosen, also when nobody knows it. */
function withChosen(choices: readonly Choice[], chosen: string): readonly Choice[] {
  const isKnown = chosen === "" || choices.some(({ value }) => value === chosen);
  return isKnown ? choices : [...choices, { value: chosen, name: chosen }];
}
