import { ChoiceField } from "~/components/choice-field";
import { DayFields } from "~/components/day-fields";
import { TextField } from "~/components/text-field";
import { ListFilter } from "~/components/list-filter";
import { capitalize } from "~/lib/capitalize";
import { cn } from "~/lib/class-names";
import { submissionMessages as copy } from "~/content/submissions";
import { paths } from "~/paths";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { CHOICES } from "~/services/submissions/submission-filter";
import type { SubmissionFilter, SubmissionSort } from "~/services/submissions/submission-filter";
import { toSearch } from "~/http/list-state";
import type { SubmissionErrors, SubmissionValues } from "./filter";

type FilterFormProps = {
  kind: SubmissionKind;
  values: SubmissionValues;
  errors: SubmissionErrors | undefined;
};

/** Filters by name or address, the form's own question, email consent and date, and sets the order. */
export function FilterForm({ kind, values, errors }: FilterFormProps) {
  const field = (name: "choice" | "mail" | "sort") => ({ name, value: values[name], error: errors?.[name] });
  const hasChoice = CHOICES[kind].length > 0;
  return (
    <ListFilter
      label={copy.tableLabel(copy.forms[kind])}
      page={paths.submissionTable(kind)}
      isFiltered={toSearch(values) !== ""}
      className="md:grid-cols-4 xl:grid-cols-[minmax(0,2fr)_repeat(5,minmax(0,1fr))_auto]"
    >
      <TextField
        label={copy.searchLabel}
        error={errors?.q}
        className={cn("max-md:col-span-full", hasChoice ? "md:max-xl:col-span-2" : "md:max-xl:col-span-3")}
        type="search"
        name="q"
        defaultValue={values.q}
      />
      {hasChoice ? (
        <ChoiceField
          {...field("choice")}
          label={copy.choice[kind]}
          any={copy.any}
          choices={Object.fromEntries(CHOICES[kind].map((choice) => [choice, capitalize(choice)]))}
        />
      ) : null}
      <ChoiceField
        {...field("mail")}
        label={copy.mail}
        any={copy.any}
        choices={copy.emailStates satisfies Record<NonNullable<SubmissionFilter["emailState"]>, string>}
      />
      <DayFields values={values} errors={errors} />
      <ChoiceField
        {...field("sort")}
        label={copy.sort}
        choices={copy.sorts satisfies Record<SubmissionSort, string>}
      />
    </ListFilter>
  );
}
