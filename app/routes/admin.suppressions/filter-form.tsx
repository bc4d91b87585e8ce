import { ChoiceField } from "~/components/choice-field";
import { Field } from "~/components/field";
import { ListFilter } from "~/components/list-filter";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { toSearch } from "~/http/list-state";
import type { SuppressionValues } from "./address";

const copy = operatorMessages.suppressions;

/** By what an address begins with, and why it is there. */
export function FilterForm({ values }: { values: SuppressionValues }) {
  return (
    <ListFilter
      label={copy.filter}
      page={paths.suppressions}
      isFiltered={toSearch(values) !== ""}
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
            defaultValue={values.prefix}
          />
        )}
      </Field>
      <ChoiceField
        name="reason"
        label={copy.reason}
        value={values.reason}
        choices={copy.reasons}
        any={copy.any}
        className="max-sm:col-span-full"
      />
    </ListFilter>
  );
}
