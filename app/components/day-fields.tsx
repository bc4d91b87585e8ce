import { TextField } from "~/components/text-field";
import { filterMessages as copy } from "~/content/lists";

type DayFieldsProps = {
  values: { readonly from: string; readonly to: string };
  errors: { readonly from?: string; readonly to?: string } | undefined;
};

export function DayFields(props: DayFieldsProps) {
  return (["from", "to"] as const).map((name) => <DayField key={name} name={name} {...props} />);
}

/** The first or the last day of a filter. */
export function DayField({ name, values, errors }: DayFieldsProps & { name: "from" | "to" }) {
  return (
    <TextField
      label={copy[name]}
      error={errors?.[name]}
      name={name}
      // A date field discards an invalid date, so that nobody could see the error's cause: it becomes a text field.
      type={errors?.[name] ? "text" : "date"}
      defaultValue={values[name]}
    />
  );
}
