import { TextField } from "~/components/text-field";
import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.filters;

type DayFieldsProps = {
  values: { readonly from: string; readonly to: string };
  errors: { readonly from?: string; readonly to?: string } | undefined;
};

/** The first day and the last one of a filter. */
export function DayFields({ values, errors }: DayFieldsProps) {
  return (["from", "to"] as const).map((name) => (
    <TextField
      key={name}
      label={copy[name]}
      error={errors?.[name]}
      name={name}
      // A date field would throw away what is no date, and nobody could see what was wrong with it.
      type={errors?.[name] ? "text" : "date"}
      defaultValue={values[name]}
    />
  ));
}
