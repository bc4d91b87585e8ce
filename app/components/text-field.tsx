import type { ComponentProps } from "react";
import { FormField } from "~/components/form-field";
import { Input } from "~/components/ui/input";

type FieldProps = Omit<ComponentProps<typeof FormField>, "children">;
type TextFieldProps = FieldProps & Omit<ComponentProps<typeof Input>, keyof FieldProps | "size">;

/** A single-line field of the back office. Props other than FormField's are passed to the input. */
export function TextField({ label, hint, error, required, id, className, ...input }: TextFieldProps) {
  return (
    <FormField label={label} hint={hint} error={error} required={required} id={id} className={className}>
      {(control) => <Input {...control} {...input} />}
    </FormField>
  );
}
