import { FormField } from "~/components/form-field";
import { NativeSelect } from "~/components/ui/native-select";

type Choices = Readonly<Record<string, string>>;

type ChoiceFieldProps = {
  name: string;
  label: string;
  /** The selected value; "" is `any`, or the first choice where there is no `any`. */
  value: string;
  /** Labels by their values in the URL, or such choices by the name of their option group. */
  choices: Readonly<Record<string, string | Choices>>;
  any?: string;
  error?: string;
  className?: string;
};

/** Selects one of several values. In a filter an unknown value from the URL stays selected, so that it is seen. */
export function ChoiceField({ name, label, value, choices, any, error, className }: ChoiceFieldProps) {
  const isKnown =
    value === "" ||
    Object.entries(choices).some(([choice, words]) =>
      typeof words === "string" ? choice === value : Object.hasOwn(words, value),
    );
  return (
    <FormField label={label} error={error} className={className}>
      {(control) => (
        <NativeSelect {...control} name={name} defaultValue={value || undefined}>
          {any === undefined ? null : <option value="">{any}</option>}
          {Object.entries(choices).map(([choice, words]) =>
            typeof words === "string" ? (
              <option key={choice} value={choice}>
                {words}
              </option>
            ) : (
              <optgroup key={choice} label={choice}>
                {Object.entries(words).map(([each, name]) => (
                  <option key={each} value={each}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ),
          )}
          {isKnown ? null : <option value={value}>{value}</option>}
        </NativeSelect>
      )}
    </FormField>
  );
}
