import { ChoiceField } from "~/components/choice-field";
import { Field } from "~/components/field";
import { ListFilter } from "~/components/list-filter";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { filterSearch, type Filter } from "./address";

const copy = operatorMessages.suppressions;

/** By what an address begins with, and why it is there. */
export function FilterForm({ filter }: { filter: Filter }) {
  return (
    <ListFilter
      label={copy.filter}
      page={paths.suppressions}
      isFiltered={filterSearch(filter) !== ""}
      button="secondary"
      className="md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto]"
    >
      <Field label={copy.search} className="max-sm:col-span-full">
        {(control) => (
          <Input
            {...control}
            size="dense"
            type="search"
            name="prefix"
            maxLength={100}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            defaultValue={filter.prefix}
          />
        )}
      </Field>
      <ChoiceField
        name="reason"
        label={copy.reason}
        value={filter.reason ?? ""}
        choices={copy.reasons}
        any={copy.any}
        className="max-sm:col-span-full"
      />
    </ListFilter>
  );
}
