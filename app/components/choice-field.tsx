import { Field } from "~/components/field";
import { Select } from "~/components/ui/select";

type ChoiceFieldProps = {
  name: string;
  label: string;
  /** What is chosen; "" is any, or the first one where there is no any. */
  value: string;
  /** By their values in the URL, what people read. */
  choices: Readonly<Record<string, string>>;
  any?: string;
  error?: string;
  className?: string;
};

/** One of several, in a filter. What was asked for stays chosen, also when nobody knows it. */
export function ChoiceField({ name, label, value, choices, any, error, className }: ChoiceFieldProps) {
  const isKnown = value === "" || Object.hasOwn(choices, value);
  return (
    <Field label={label} error={error} className={className}>
      {(control) => (
        <Select {...control} size="dense" name={name} defaultValue={value || undefined}>
          {any === undefined ? null : <option value="">{any}</option>}
          {Object.entries(isKnown ? choices : { ...choices, [value]: value }).map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
